import { Refusal } from '../../harness/expectation.ts';
import type { Special, Value } from '../../harness/value.ts';

/**
 * The contract as a small pure model: the oracle of every clause. A key's life is absent → pending → done →
 * (expires ≤ now) purged → absent; a pending key is never purged.
 */
export interface Row {
  readonly id: string;
  readonly fingerprint: string;
  readonly status: 'pending' | 'done';
  /** The stored text, or what its JSON is worth where a submission chose the spelling. Null while pending. */
  readonly response: string | Special | null;
  /** What `response` is parsed to. */
  readonly answer: Value;
  readonly expires: Instant;
}

/** Seconds, as an int or a float; both compare exactly. */
export type Instant = bigint | number;

export type Rows = ReadonlyMap<string, Row>;

/** What a call returns, and the rows after it. */
export interface Effect {
  readonly result: Value;
  readonly rows: Rows;
}

export function rowsOf(rows: readonly Row[]): Rows {
  return new Map(rows.map((row) => [row.id, row]));
}

export function withRow(rows: Rows, row: Row): Rows {
  return new Map([...rows, [row.id, row]]);
}

export function withoutRows(rows: Rows, ids: readonly string[]): Rows {
  return new Map([...rows].filter(([id]) => !ids.includes(id)));
}

export function pendingRow(id: string, fingerprint: string, expires: Instant): Row {
  return { id, fingerprint, status: 'pending', response: null, answer: null, expires };
}

export function reserve(rows: Rows, id: string, digest: string, expires: Instant): Effect {
  if (rows.has(id)) return { result: false, rows };
  return { result: true, rows: withRow(rows, pendingRow(id, digest, expires)) };
}

/** `stored` is what the column must hold for the answer. */
export function finish(rows: Rows, id: string, digest: string, answer: Value, stored: Special): Effect {
  const row = rows.get(id);
  if (row?.status !== 'pending' || row.fingerprint !== digest) return { result: false, rows };
  return { result: true, rows: withRow(rows, { ...row, status: 'done', response: stored, answer }) };
}

export function fetch(rows: Rows, id: string, now: Instant): Value {
  const row = rows.get(id);
  return row?.status === 'done' && row.expires > now ? row.answer : null;
}

/** The ids that may go, or a refusal of the limit. */
export function expired(rows: Rows, now: Instant, limit: Value = 10n): readonly string[] | Refusal {
  if (typeof limit !== 'bigint' || limit < 1n || limit > 100n) return new Refusal();
  return [...rows.values()]
    .filter((row) => row.status === 'done' && row.expires <= now)
    .map((row) => row.id)
    .sort(byCodePoint)
    .slice(0, Number(limit));
}

export function purge(rows: Rows, now: Instant, limit?: Value): Effect {
  const result = expired(rows, now, limit);
  return { result, rows: result instanceof Refusal ? rows : withoutRows(rows, result) };
}

export function counts(rows: Rows): Value {
  const count = (status: string) => BigInt([...rows.values()].filter((row) => row.status === status).length);
  return new Map([
    ['pending', count('pending')],
    ['done', count('done')],
  ]);
}

/** Of an empty table: `retention_cycle` leaves the key reserved a second time. */
export function retentionCycle(id: string): Effect {
  return { result: true, rows: rowsOf([pendingRow(id, 'v2', 20n)]) };
}

/** SQLite's BINARY order is that of the UTF-8 bytes, which is that of the code points; UTF-16's is another. */
export function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
