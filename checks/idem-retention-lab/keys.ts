import { readFileSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { Bench, Row as DatabaseRow } from '../../harness/bench.ts';
import { expectSame, Mismatch } from '../../harness/contract.ts';
import { DatabaseImage, hasLog } from '../../harness/database-image.ts';
import { Anything, JsonOf, OneOf, seen, Thrown } from '../../harness/expectation.ts';
import { openForeign } from '../../harness/foreign-database.ts';
import { sqlText } from '../../harness/literal.ts';
import type { Outcome, Statement } from '../../harness/subject/subject.ts';
import { isList, same, Tuple, type Value } from '../../harness/value.ts';
import { byCodePoint, type Effect, type Row, type Rows, rowsOf, withoutRows, withRow } from './model.ts';

/** The table as step 1 asks for it. */
const createTable = `CREATE TABLE keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status TEXT NOT NULL,
  response TEXT, expires REAL NOT NULL)`;

const columns = ['id', 'fingerprint', 'status', 'response', 'expires'] as const;

export const allRows = `SELECT ${columns.join(', ')} FROM keys ORDER BY id COLLATE BINARY`;

/** What SQLite's catalogue says of the table: name, declared type, NOT NULL, place in the primary key. */
export const tableColumns = `SELECT name, upper(type), "notnull", pk FROM pragma_table_xinfo('keys') ORDER BY cid`;

/** All that was created in the file, SQLite's own tables left out. */
export const schemaObjects = `SELECT type, name, tbl_name, sql FROM sqlite_schema
  WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type, name`;

/** The trigger that keeps a row from being deleted. */
export const guardName = 'grader_keeps_row';

/** A NOT NULL on `id` changes nothing: the contract's rows have one. */
export const expectedColumns: Value = [
  new Tuple(['id', 'TEXT', new OneOf([0n, 1n]), 1n]),
  new Tuple(['fingerprint', 'TEXT', 1n, 0n]),
  new Tuple(['status', 'TEXT', 1n, 0n]),
  new Tuple(['response', 'TEXT', 0n, 0n]),
  new Tuple(['expires', 'REAL', 1n, 0n]),
];

/** An initialised database, as the submission's `init_db` makes it, or else by the contract's own statement. */
export interface Template {
  readonly image: DatabaseImage;
  readonly initialisedBy: 'submission' | 'grader';
}

/** Legal rows that a submission's own table has to take before rows are laid into it. */
const legalRows: readonly Row[] = [
  { id: '', fingerprint: 'f', status: 'pending', response: null, answer: null, expires: -1n },
  { id: 'a', fingerprint: 'f', status: 'done', response: '{"n": [1.5, null]}', answer: null, expires: 1e300 },
  { id: 'A', fingerprint: 'f', status: 'done', response: 'null', answer: null, expires: 0n },
  { id: 'a ', fingerprint: 'f', status: 'pending', response: null, answer: null, expires: 5e-324 },
  { id: 'é', fingerprint: '%', status: 'pending', response: null, answer: null, expires: 10n },
  { id: 'e\u0301', fingerprint: "'", status: 'done', response: '""', answer: null, expires: 10.5 },
];

/**
 * Rows are laid into the submission's own table, which may be STRICT or have CHECKs, if it is as the contract
 * says; a submission whose `init_db` is wrong is told so by step 1, and by no other.
 */
export async function makeTemplate(bench: Bench): Promise<Template> {
  const database = bench.newDatabase();
  try {
    await bench.call({ process: 0, name: 'init_db', args: [database] });
    const keys = new Keys(bench, database);
    bench.expectRows(database, tableColumns, expectedColumns);
    const image = new DatabaseImage(snapshot(database));
    keys.lay(legalRows); // after the snapshot: what triggers make of these rows is no part of it
    return { image, initialisedBy: 'submission' };
  } catch {
    const own = bench.newDatabase();
    new Database(own).exec(createTable).close();
    return { image: new DatabaseImage(readFileSync(own)), initialisedBy: 'grader' };
  }
}

/** The file's bytes, with all that a write-ahead log holds, whoever still reads from it. */
function snapshot(database: string): Buffer {
  const connection = openForeign(database);
  try {
    return connection.serialize();
  } finally {
    connection.close();
  }
}

/** The table `keys` of one database, and the submission's functions on it. */
export class Keys {
  readonly #bench: Bench;
  readonly path: string;
  /** The rows that were laid out, and the file as it was then. */
  #laid: { readonly rows: Rows; readonly file: Buffer } | undefined;

  constructor(bench: Bench, path: string) {
    this.#bench = bench;
    this.path = path;
  }

  /** An initialised database without rows, in which the grader has run these statements. */
  static after(bench: Bench, template: Template, sql: readonly string[]): Keys {
    const keys = Keys.holding(bench, { ...template, image: template.image.after(sql) }, new Map());
    bench.trace.push({ kind: 'execute', database: keys.path, statements: sql.map(plain) });
    return keys;
  }

  /** A database that a process has initialised before, with these rows laid out in their order. */
  static holding(bench: Bench, { image, initialisedBy }: Template, rows: Rows, process = 0): Keys {
    const keys = new Keys(bench, bench.newDatabase());
    const laid = [...rows.values()].map(columnsOf);
    const file = image.with('keys', laid);
    writeFileSync(keys.path, file, { flag: 'wx' });
    if (!hasLog(file)) keys.#laid = { rows, file };
    const statements = [{ sql: createTable, parameters: [] }];
    bench.trace.push(
      initialisedBy === 'submission'
        ? { kind: 'call', scene: true, call: { process, name: 'init_db', args: [keys.path] } }
        : { kind: 'execute', scene: true, database: keys.path, statements },
    );
    bench.trace.push({ kind: 'lay', database: keys.path, table: 'keys', rows: laid });
    return keys;
  }

  /** A database that the submission's own `init_db` has made in another process, with these rows. */
  static async initialised(bench: Bench, template: Template, rows: Rows): Promise<Keys> {
    const other = 1;
    if (template.initialisedBy === 'submission') return Keys.holding(bench, template, rows, other);
    const keys = new Keys(bench, bench.newDatabase());
    await keys.initialise(other);
    keys.lay([...rows.values()]);
    return keys;
  }

  /** `init_db` raises nothing; what it returns is its own affair. */
  async initialise(process = 0): Promise<void> {
    expectSame(await this.call('init_db', [], process), new Anything());
  }

  /** A call whose first argument is the path. Process 1 is another than process 0. */
  call(name: string, args: readonly (Value | undefined)[], process = 0): Promise<Outcome> {
    return this.#bench.call({ process, name, args: this.#args(args) });
  }

  /**
   * Makes the call on the given rows while the grader holds the write lock; the changes are committed before it
   * gets the lock. The outcome must be that of the call wholly before or wholly after them. A call that gives up
   * because of the lock, and changed nothing, is in its right: how long to wait is not in the contract.
   */
  async callAcross(
    name: string,
    args: readonly (Value | undefined)[],
    given: Rows,
    changes: readonly Change[],
    patience: number,
    effect: (rows: Rows) => Effect,
  ): Promise<void> {
    const call = { process: 0, name, args: this.#args(args) };
    const held = { database: this.path, statements: changes.map(statementOf) };
    const [outcome] = await this.#bench.callWhileHeld([call], held, patience);
    if (!outcome) throw new TypeError('no outcome of the call');
    const result = seen(outcome);
    const rows = this.#bench.query(this.path, allRows).seen;
    const after = changes.reduce(changed, given);
    if (result instanceof Thrown && result.gaveUp && same(rows, this.#expected(after))) return;
    const first = effect(given);
    const callThenChanges = { result: first.result, rows: changes.reduce(changed, first.rows) };
    const allowed = [callThenChanges, effect(after)];
    const found = new Tuple([result, rows]);
    const expected = new OneOf(allowed.map((each) => new Tuple([each.result, this.#expected(each.rows)])));
    if (!same(found, expected)) throw new Mismatch(outcome, found, expected, allRows);
  }

  lay(rows: readonly Row[]): void {
    this.#bench.lay(this.path, 'keys', rows.map(columnsOf));
  }

  /** What another process does to the table between two calls. */
  change(change: Change): void {
    this.#bench.execute(this.path, [statementOf(change)]);
  }

  /** Another process puts this row in the place of the one with its id; returns all rows. */
  put(row: Row, rows: Rows): Rows {
    this.change({ put: row });
    return changed(rows, { put: row });
  }

  /** Another process puts these rows in the place of all that there are. */
  replace(rows: readonly Row[]): Rows {
    const puts = rows.map((row) => statementOf({ put: row }));
    this.#bench.execute(this.path, [{ sql: 'DELETE FROM keys', parameters: [] }, ...puts]);
    return rowsOf(rows);
  }

  execute(...sql: string[]): void {
    this.#bench.execute(this.path, sql.map(plain));
  }

  /** From now on every attempt to delete this row fails. A trigger takes no parameters. */
  forbidDeletionOf(id: string): void {
    this.execute(
      `CREATE TRIGGER ${guardName} BEFORE DELETE ON keys WHEN OLD.id = ${sqlText(id)}
  BEGIN SELECT RAISE(ABORT, 'this row stays'); END`,
    );
  }

  /** A file that has not changed by a byte need not be read row by row. */
  expectRows(rows: Rows): void {
    if (this.#laid?.rows === rows && this.#bench.hasBytes(this.path, this.#laid.file)) return;
    this.#laid = undefined;
    this.#bench.expectRows(this.path, allRows, this.#expected(rows));
  }

  expectQuery(sql: string, expected: Value): void {
    this.#bench.expectRows(this.path, sql, expected);
  }

  query(sql: string): readonly Value[] {
    const rows = this.#bench.query(this.path, sql).seen;
    return isList(rows) ? rows : [];
  }

  /** No call left a lock behind: another connection can write. */
  expectUnlocked(): void {
    this.#bench.execute(this.path, []);
  }

  /** A response as this subject's language can hold it. */
  fit(response: Value): Value {
    return this.#bench.fit(response);
  }

  /** What the column holds of a finished response, however it is spelled. */
  stored(response: Value): JsonOf {
    return new JsonOf(response, this.#bench.subject.numberTypes);
  }

  #args(args: readonly (Value | undefined)[]): Value[] {
    const given = args.filter((value): value is Value => value !== undefined);
    return [this.path, ...given.map((value) => this.#bench.fit(value))];
  }

  #expected(rows: Rows): Value {
    const sorted = [...rows.values()].sort((a, b) => byCodePoint(a.id, b.id));
    return sorted.map(
      ({ id, fingerprint, status, response, expires }) =>
        new Tuple([id, fingerprint, status, response, Number(expires)]),
    );
  }
}

function columnsOf({ id, fingerprint, status, response, expires }: Row): DatabaseRow {
  return { id, fingerprint, status, response, expires };
}

function plain(sql: string): Statement {
  return { sql, parameters: [] };
}

/** One row that another connection puts in place, whether its id exists or not, or removes. */
export type Change = { readonly put: Row } | { readonly remove: string };

function statementOf(change: Change): Statement {
  if ('remove' in change) return { sql: 'DELETE FROM keys WHERE id = ?', parameters: [change.remove] };
  const { id, fingerprint, status, response, expires } = change.put;
  const others = columns.slice(1).map((column) => `${column} = excluded.${column}`);
  return {
    // Not OR REPLACE, which removes a row past the triggers that a submission may count or index by.
    sql: `INSERT INTO keys (${columns.join(', ')}) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET ${others.join(', ')}`,
    parameters: [id, fingerprint, status, response as string | null, Number(expires)],
  };
}

export function changed(rows: Rows, change: Change): Rows {
  return 'put' in change ? withRow(rows, change.put) : withoutRows(rows, [change.remove]);
}

/** A call's result is what the model says, and so is the table after it. */
export async function expectEffect(keys: Keys, outcome: Promise<Outcome>, effect: Effect): Promise<void> {
  expectSame(await outcome, effect.result);
  keys.expectRows(effect.rows);
}
