import { rmSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { Mismatch } from './contract.ts';
import {
  type Call,
  GraderFault,
  type Held,
  Inconclusive,
  type Outcome,
  type Statement,
  type Subject,
  SubjectFailure,
} from './subject/subject.ts';
import { Opaque, same, Tuple, type Value, withOneNumberType } from './value.ts';

/** What happened in a case, in order: enough to do it again by hand. */
export type Event = Laid | Executed | Called | Queried;

/** Rows laid out by the grader's own connection. */
export interface Laid {
  readonly kind: 'lay';
  readonly database: string;
  readonly table: string;
  readonly rows: readonly Row[];
}

/** Statements run, and committed, by the grader's own connection. */
export interface Executed {
  readonly kind: 'execute';
  readonly database: string;
  readonly statements: readonly Statement[];
}

/** A call, made while the grader held a lock or not. Without `outcome` it never came to an end. */
export interface Called {
  readonly kind: 'call';
  readonly call: Call;
  readonly held?: Held;
  outcome?: Outcome;
}

/** What the grader's own connection saw. */
export interface Queried {
  readonly kind: 'query';
  readonly database: string;
  readonly sql: string;
  readonly seen: Value;
}

/** A row by its columns. */
export type Row = Readonly<Record<string, Value>>;

/** No time is left for this case. Not a verdict by itself. */
export class OutOfTime extends Error {}

/** How long a case may take. */
export interface Limits {
  /** Milliseconds after which one call counts as never returning. */
  readonly call: number;
  /** When all ends, by `performance.now()`. */
  readonly deadline: number;
}

/** Where one case takes place: its processes, its databases, the grader's own connections, and the record of it. */
export class Bench {
  readonly subject: Subject;
  readonly trace: Event[] = [];
  readonly #folder: string;
  readonly #limits: Limits;
  readonly #connections = new Map<string, Database.Database>();
  readonly #databases: string[] = [];
  static #count = 0;

  constructor(subject: Subject, folder: string, limits: Limits) {
    this.subject = subject;
    this.#folder = folder;
    this.#limits = limits;
  }

  /** A path never used before: a submission may keep connections by path. */
  newDatabase(): string {
    Bench.#count += 1;
    const database = path.join(this.#folder, `keys-${Bench.#count}.db`);
    this.#databases.push(database);
    return database;
  }

  /** The value as the subject's language can hold it. */
  fit<V extends Value>(value: V): V {
    return this.subject.numberTypes === 1 ? (withOneNumberType(value) as V) : value;
  }

  async call(call: Call): Promise<Outcome> {
    const event: Called = { kind: 'call', call };
    this.trace.push(event);
    event.outcome = await this.#inTime((limit) => this.subject.call(call, limit));
    return event.outcome;
  }

  /** See {@link Subject.callWhileHeld}. */
  async callWhileHeld(call: Call, held: Held, patience: number): Promise<Outcome> {
    const event: Called = { kind: 'call', call, held };
    this.trace.push(event);
    this.#disconnect(held.database);
    event.outcome = await this.#inTime((limit) => this.subject.callWhileHeld(call, held, patience, limit));
    return event.outcome;
  }

  /** Lays rows out, in the order given. Throws a {@link Mismatch} where the table refuses one. */
  lay(database: string, table: string, rows: readonly Row[]): void {
    const event: Laid = { kind: 'lay', database, table, rows };
    this.trace.push(event);
    const [first] = rows;
    if (!first) return;
    const columns = Object.keys(first);
    const places = columns.map(() => '?').join(', ');
    const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`;
    this.#transaction(database, event, (connection) => {
      const insert = connection.prepare(sql);
      for (const row of rows) insert.run(columns.map((column) => row[column]));
    });
  }

  /** Throws a {@link Mismatch} where the submission still holds a lock, {@link Inconclusive} where it reads. */
  execute(database: string, statements: readonly Statement[]): void {
    const event: Executed = { kind: 'execute', database, statements };
    this.trace.push(event);
    this.#transaction(database, event, (connection) => {
      for (const { sql, parameters } of statements) connection.prepare(sql).run(parameters);
    });
  }

  /** The rows as a list of tuples, integers and reals apart; an {@link Opaque} where the query fails. */
  query(database: string, sql: string): Queried {
    const event = (seen: Value): Queried => ({ kind: 'query', database, sql, seen });
    try {
      const rows = this.#connection(database).prepare(sql).raw().all() as unknown[][];
      return event(rows.map((row) => new Tuple(row.map(cell))));
    } catch (error) {
      if (isSqlite(error, 'SQLITE_')) return event(new Opaque(error.code, error.message));
      throw error;
    }
  }

  /** Throws a {@link Mismatch} unless the query's rows are these. */
  expectRows(database: string, sql: string, expected: Value): void {
    const event = this.query(database, sql);
    if (same(event.seen, expected)) return;
    this.trace.push(event);
    throw new Mismatch(event, event.seen, expected);
  }

  /** Removes what the case left. */
  close(): void {
    for (const database of [...this.#connections.keys()]) this.#disconnect(database);
    for (const database of this.#databases) {
      for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(database + suffix, { force: true });
    }
  }

  async #inTime<T>(work: (limit: number) => Promise<T>): Promise<T> {
    const left = this.#limits.deadline - performance.now();
    if (left <= 0) throw new OutOfTime();
    const limit = Math.min(this.#limits.call, left);
    try {
      return await work(limit);
    } catch (error) {
      const cutShort = limit < this.#limits.call;
      if (cutShort && error instanceof SubjectFailure && error.kind === 'timeout') throw new OutOfTime();
      throw error;
    }
  }

  /** The grader's own connection. It holds no lock between calls, and waits for none. */
  #connection(database: string): Database.Database {
    let connection = this.#connections.get(database);
    if (!connection) {
      connection = new Database(database, { timeout: 0 });
      connection.pragma('synchronous = OFF');
      connection.defaultSafeIntegers();
      this.#connections.set(database, connection);
    }
    return connection;
  }

  #disconnect(database: string): void {
    this.#connections.get(database)?.close();
    this.#connections.delete(database);
  }

  #transaction(database: string, event: Event, run: (connection: Database.Database) => void): void {
    const connection = this.#connection(database);
    try {
      connection.exec('BEGIN IMMEDIATE');
      run(connection);
    } catch (error) {
      if (connection.inTransaction) connection.exec('ROLLBACK');
      if (isSqlite(error, 'SQLITE_BUSY') || isSqlite(error, 'SQLITE_CONSTRAINT')) {
        throw new Mismatch(event, new Opaque(error.code, error.message), null);
      }
      throw new GraderFault(`SQLite: ${(error as Error).message}`);
    }
    try {
      connection.exec('COMMIT');
    } catch (error) {
      connection.exec('ROLLBACK');
      if (isSqlite(error, 'SQLITE_BUSY')) throw new Inconclusive('the submission reads');
      throw new GraderFault(`SQLite: ${(error as Error).message}`);
    }
  }
}

function cell(value: unknown): Value {
  return Buffer.isBuffer(value) ? new Opaque('BLOB', value.toString('hex')) : (value as Value);
}

function isSqlite(error: unknown, prefix: string): error is Error & { code: string } {
  return error instanceof Database.SqliteError && error.code.startsWith(prefix);
}
