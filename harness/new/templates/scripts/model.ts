import { Tuple, type Value } from 'idem-lab-checks/contract';

/* The contract as a small pure model: the oracle of every clause. */

/** Whether the key is granted; it is remembered. */
export function claim(granted: Set<string>, key: string): boolean {
  if (granted.has(key)) return false;
  granted.add(key);
  return true;
}

/** The rows of the table, by the bytes of their UTF-8, as SQLite sorts. */
export function table(granted: ReadonlySet<string>): Value {
  return [...granted].sort(byBytes).map((key) => new Tuple([key]));
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
