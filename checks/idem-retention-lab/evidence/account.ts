import type { Called, Event } from '../../../harness/bench.ts';
import { Mismatch } from '../../../harness/contract.ts';
import { JsonOf } from '../../../harness/expectation.ts';
import { fromJson } from '../../../harness/json.ts';
import { type FailedCase, upToFailure } from '../../../harness/report/narrate.ts';
import type { Statement } from '../../../harness/subject/subject.ts';
import { isList, Opaque, same, Tuple, type Value } from '../../../harness/value.ts';
import { allRows, changed, guardName } from '../keys.ts';
import type { Instant, Row, Rows } from '../model.ts';
import * as model from '../model.ts';

/*
 * A failed case, read back from its record: the rows before each call are those of the model, as all that came before
 * the failure was as it had to be.
 */

/** A row as the table has it: id, fingerprint, status, response, expires. */
export type Cells = readonly Value[];

export interface Compared<T> {
  readonly seen: T;
  readonly expected: T;
}

/** A call, with the rows that were there before it. */
export interface Made {
  readonly name: string;
  /** Without the path of the database. */
  readonly args: readonly Value[];
  readonly database: string;
  readonly process: number;
  readonly rows: Rows;
  readonly outcome: Called['outcome'];
}

export interface Account {
  /** The call that failed, or the last one before the table was looked at. */
  readonly call: Made;
  /** All calls up to that one. */
  readonly calls: readonly Made[];
  /** The rows of each database before the call that failed. */
  readonly databases: ReadonlyMap<string, Rows>;
  /** Where what a call returned was looked at. */
  readonly result?: Compared<Value>;
  /** Where the rows of the table were. */
  readonly table?: Compared<readonly Cells[]>;
  /** Where another query was, which this is. */
  readonly query?: Compared<Value> & { readonly sql: string };
  /** Where the lock was held, and rows changed meanwhile: what came of the call, and the rows after the change alone. */
  readonly held?: {
    readonly result: Value;
    readonly rows: readonly Cells[];
    readonly after: Rows;
  };
  /** Where the table took no legal rows: SQLite's error, and the ids of those rows. */
  readonly refused?: { readonly message: string; readonly ids: readonly string[] };
  /** A row that cannot be deleted was laid out. */
  readonly guarded: boolean;
}

/** Undefined of a case in which nothing was called. */
export function accountOf(failed: FailedCase): Account | undefined {
  const { reason } = failed;
  const trace = upToFailure(failed);
  const history = new History();
  for (const event of trace) history.add(event);
  const call = history.calls.at(-1);
  if (!(reason instanceof Mismatch) || !call) return undefined;
  const { calls, databases } = history;
  const guarded = trace.some(
    (event) => event.kind === 'execute' && event.statements.some(({ sql }) => sql.includes(guardName)),
  );
  return { call, calls, databases, guarded, ...comparedOf(reason, history, trace.at(-1)) };
}

type Comparison = Pick<Account, 'result' | 'table' | 'query' | 'held' | 'refused'>;

function comparedOf(
  { seen, expected, rowsBy }: Mismatch,
  history: History,
  last: Event | undefined,
): Comparison {
  if (rowsBy !== undefined && seen instanceof Tuple && last?.kind === 'call') {
    const [result = null, rows = null] = seen.items;
    return { held: { result, rows: cellsOf(rows), after: history.after(last) } };
  }
  if (last?.kind === 'call') return { result: { seen, expected } };
  if (last?.kind === 'lay' && seen instanceof Opaque)
    return { refused: { message: seen.text, ids: last.rows.map(({ id }) => String(id)) } };
  if (last?.kind !== 'query') return {};
  if (last.sql !== allRows) return { query: { seen, expected, sql: last.sql } };
  return { table: { seen: cellsOf(seen), expected: cellsOf(expected) } };
}

function cellsOf(rows: Value): readonly Cells[] {
  return isList(rows) ? rows.flatMap((row) => (row instanceof Tuple ? [row.items] : [])) : [];
}

/** The cells of a row of the model. */
export function cells({ id, fingerprint, status, response, expires }: Row): Cells {
  return [id, fingerprint, status, response, Number(expires)];
}

export function sameCells(a: Cells, b: Cells): boolean {
  return a.length === b.length && a.every((cell, index) => same(cell, b[index] ?? null));
}

/** What the call makes of rows, if it keeps the contract. */
export function effectOf({ name, args }: Pick<Made, 'name' | 'args'>, rows: Rows): model.Effect {
  const [first = null, second, third = null] = args;
  switch (name) {
    case 'reserve':
      return model.reserve(rows, String(first), String(second), third as Instant);
    case 'finish':
      return model.finish(rows, String(first), String(second), third, new JsonOf(third, 2));
    case 'purge':
      return model.purge(rows, first as Instant, second);
    case 'retention_cycle':
      return rows.size === 0 ? model.retentionCycle(String(first)) : { result: null, rows };
    default:
      return { result: null, rows };
  }
}

/** The rows of all databases of a case, event by event. */
class History {
  readonly calls: Made[] = [];
  /** Before the last call. */
  databases = new Map<string, Rows>();
  readonly #rows = new Map<string, Rows>();

  add(event: Event): void {
    if (event.kind === 'lay') {
      const laid = event.rows.map((row) => rowOf(Object.values(row)));
      this.#set(event.database, new Map([...this.#of(event.database), ...model.rowsOf(laid)]));
    } else if (event.kind === 'execute') {
      this.#set(event.database, event.statements.reduce(afterStatement, this.#of(event.database)));
    } else if (event.kind === 'call' && !event.scene) this.#call(event);
  }

  /** The rows that a held call has found, if it looked only once the lock was free. */
  after({ held }: Called): Rows {
    const database = held?.database ?? '';
    return (held?.statements ?? []).reduce(afterStatement, this.databases.get(database) ?? new Map());
  }

  #call({ call, outcome }: Called): void {
    const [database, ...args] = call.args;
    const path = String(database);
    this.databases = new Map(this.#rows);
    const made: Made = {
      name: call.name,
      args,
      database: path,
      process: call.process,
      rows: this.#of(path),
      outcome,
    };
    this.calls.push(made);
    this.#set(path, effectOf(made, made.rows).rows);
  }

  #of(database: string): Rows {
    return this.#rows.get(database) ?? new Map();
  }

  #set(database: string, rows: Rows): void {
    this.#rows.set(database, rows);
  }
}

function afterStatement(rows: Rows, { sql, parameters }: Statement): Rows {
  if (sql.startsWith('INSERT INTO keys')) return changed(rows, { put: rowOf(parameters) });
  if (sql === 'DELETE FROM keys') return new Map();
  if (sql.startsWith('DELETE FROM keys')) return changed(rows, { remove: String(parameters[0]) });
  return rows;
}

function rowOf([id, fingerprint, status, response, expires]: readonly Value[]): Row {
  return {
    id: String(id),
    fingerprint: String(fingerprint),
    status: status === 'done' ? 'done' : 'pending',
    response: response as string | null,
    answer: typeof response === 'string' ? fromJson(response) : null,
    expires: expires as Instant,
  };
}
