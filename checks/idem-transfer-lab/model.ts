/**
 * What the money and the keys must be after each command: the oracle of every clause. All amounts are whole won.
 */
export interface Request {
  readonly client_id: string;
  readonly endpoint: string;
  readonly idem_key: string;
  readonly body: Body;
}

export interface Body {
  readonly src: string;
  readonly dst: string;
  readonly amount: number;
  readonly currency: string;
}

export interface Account {
  readonly acct_id: string;
  readonly holder: string;
  readonly balance: number;
}

/** A key that is known: claimed and never executed, or executed with this body. */
export interface KeyState {
  readonly state: 'in_progress' | 'completed';
  readonly body: Body;
}

export interface Bank {
  readonly balances: ReadonlyMap<string, number>;
  /** What was executed, in order. */
  readonly transfers: readonly Body[];
  readonly keys: ReadonlyMap<string, KeyState>;
}

/** What a command has to do with a request. */
export type Verdict = 'execute' | 'replay' | 'in progress' | 'other body';

export function bankOf(accounts: readonly Account[]): Bank {
  const balances = new Map(accounts.map(({ acct_id, balance }) => [acct_id, balance]));
  return { balances, transfers: [], keys: new Map() };
}

/** A key counts per client and endpoint (step 7); before, there is one of each. */
export function scope({ client_id, endpoint, idem_key }: Request): string {
  return JSON.stringify([client_id, endpoint, idem_key]);
}

export function sameBody(a: Body, b: Body): boolean {
  return a.src === b.src && a.dst === b.dst && a.amount === b.amount && a.currency === b.currency;
}

export function verdict(bank: Bank, request: Request): Verdict {
  const key = bank.keys.get(scope(request));
  if (!key) return 'execute';
  if (key.state === 'in_progress') return 'in progress';
  return sameBody(key.body, request.body) ? 'replay' : 'other body';
}

/** The bank after the request; a request that is not executed changes nothing. */
export function after(bank: Bank, request: Request): Bank {
  if (verdict(bank, request) !== 'execute') return bank;
  const { src, dst, amount } = request.body;
  const balances = new Map(bank.balances);
  balances.set(src, (balances.get(src) ?? 0) - amount);
  balances.set(dst, (balances.get(dst) ?? 0) + amount);
  return {
    balances,
    transfers: [...bank.transfers, request.body],
    keys: new Map([...bank.keys, [scope(request), { state: 'completed', body: request.body }]]),
  };
}

/** The bank after a process that claimed the key and died. */
export function afterCrash(bank: Bank, request: Request): Bank {
  if (bank.keys.has(scope(request))) return bank;
  return {
    ...bank,
    keys: new Map([...bank.keys, [scope(request), { state: 'in_progress', body: request.body }]]),
  };
}

/** The bank after a purge of these keys, which moves no money. */
export function afterPurge(bank: Bank, gone: (key: KeyState) => boolean): Bank {
  return { ...bank, keys: new Map([...bank.keys].filter(([, key]) => !gone(key))) };
}
