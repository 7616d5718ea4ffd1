import type { Bench } from '../../harness/bench.ts';
import { fromJson } from '../../harness/json.ts';
import { endSaid } from '../../harness/messages/faults.ts';
import { SubjectFailure } from '../../harness/subject/subject.ts';
import { isDict, same, type Value } from '../../harness/value.ts';
import { rowsOf } from './files.ts';

/** What a request or a transfer moves; src, dst and currency as text, the amount as a number. */
export interface Move {
  readonly key: string;
  readonly src: string;
  readonly dst: string;
  readonly amount: bigint;
  readonly currency: string;
}

/** A row of req_log. */
export interface Logged extends Move {
  /** The whole body, with whatever else is in it. */
  readonly body: Value;
  readonly scope: string;
}

export const logSql = `SELECT CAST(client_id AS TEXT), CAST(endpoint AS TEXT), CAST(idem_key AS TEXT), body
  FROM req_log ORDER BY seq`;

const v1Columns = `CAST(idem_key AS TEXT), CAST(src AS TEXT), CAST(dst AS TEXT), CAST(amount AS INTEGER),
  CAST(currency AS TEXT)`;

/** Ways to say which transfer of a key was the first. */
const orders = ['created_at, transfer_id', 'created_at, rowid', 'transfer_id', 'rowid'];

/** The requests of the day in the order in which they came. Throws where a body is no request's body. */
export function readLog(bench: Bench): Logged[] {
  return rowsOf(bench, 'idem.db', logSql).map(([client, endpoint, key, text], index) => {
    const body = parseBody(String(text), index);
    const [src, dst, amount, currency] = ['src', 'dst', 'amount', 'currency'].map(
      (name) => body.get(name) ?? null,
    );
    if (typeof amount !== 'bigint') throw unreadable('notInt', index, 'amount');
    const scope = JSON.stringify([client, endpoint, key]);
    return {
      key: String(key),
      src: String(src),
      dst: String(dst),
      amount,
      currency: String(currency),
      body,
      scope,
    };
  });
}

function parseBody(text: string, index: number): ReadonlyMap<Value, Value> {
  try {
    const body = fromJson(text);
    if (isDict(body)) return body;
  } catch {
    // told below
  }
  throw unreadable('notObject', index, 'body');
}

/** A row of the log that cannot be used; the index is from 0. */
function unreadable(key: 'notInt' | 'notObject', index: number, column: string): SubjectFailure {
  const place = { file: 'idem.db', table: 'req_log', row: index + 1, column };
  return new SubjectFailure('load', endSaid(key, place));
}

/** The transfers of the day, in each of the orders that tell a key's first one. */
export function readTransfers(bench: Bench): Move[][] {
  return orders.map((order) =>
    rowsOf(bench, 'idem.db', `SELECT ${v1Columns} FROM transfer_v1 ORDER BY ${order}`).map(moveOf),
  );
}

function moveOf([key, src, dst, amount, currency]: readonly Value[]): Move {
  return {
    key: String(key),
    src: String(src),
    dst: String(dst),
    amount: BigInt(amount as bigint),
    currency: String(currency),
  };
}

/** What day.db's transfers moved; a transfer does not say by which key. */
export function readDay(bench: Bench): Move[] {
  const columns = v1Columns.replace('CAST(idem_key AS TEXT)', "''");
  return rowsOf(bench, 'day.db', `SELECT ${columns} FROM transfer`).map(moveOf);
}

/** The moves as text, to be compared whatever their order. */
export function told(moves: readonly Move[], withKey: boolean): string[] {
  return moves
    .map(({ key, src, dst, amount, currency }) =>
      JSON.stringify([...(withKey ? [key] : []), src, dst, String(amount), currency]),
    )
    .sort();
}

export function sum(moves: readonly Move[]): bigint {
  return moves.reduce((total, { amount }) => total + amount, 0n);
}

export interface Duplicates {
  readonly keys: readonly string[];
  readonly extra: readonly Move[];
}

/** The keys with two transfers or more, and all their transfers but the first, in the order given. */
export function duplicatesOf(transfers: readonly Move[]): Duplicates {
  const first = new Set<string>();
  const keys = new Set<string>();
  const extra = transfers.filter(({ key }) => {
    if (!first.has(key)) {
      first.add(key);
      return false;
    }
    keys.add(key);
    return true;
  });
  return { keys: [...keys], extra };
}

/** How the day should have gone: each key's first request is executed, its retries are replayed or rejected. */
export function idealDay(log: readonly Logged[]): { executed: Logged[]; replayed: number; rejected: number } {
  const first = new Map<string, Logged>();
  let replayed = 0;
  let rejected = 0;
  for (const request of log) {
    const known = first.get(request.scope);
    if (!known) first.set(request.scope, request);
    else if (same(known.body, request.body)) replayed += 1;
    else rejected += 1;
  }
  return { executed: [...first.values()], replayed, rejected };
}
