import { existsSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { threadId } from 'node:worker_threads';
import type Database from 'better-sqlite3';
import { Mismatch } from './contract.ts';
import { Anything } from './expectation.ts';
import { isOwnFault, isSqlite, openForeign, readForeign } from './foreign-database.ts';
import { endSaid } from './messages/faults.ts';
import { type Texts, textsOf } from './messages/texts.ts';
import { inQuarantine, mostRows } from './quarantine.ts';
import { type Schema, schemaOf } from './schema.ts';
import type { Places } from './scratch.ts';
import {
  type Call,
  GraderFault,
  type Held,
  Inconclusive,
  type Outcome,
  type Session,
  type Statement,
  type Subject,
  SubjectFailure,
} from './subject/subject.ts';
import { Opaque, same, Tuple, type Value, withOneNumberType } from './value.ts';

/** What happened in a case, in order: enough to do it again by hand. */
export type Event = Laid | Executed | Written | Called | Queried | Looked;

/** Rows laid out by the grader's own connection. */
export interface Laid {
  readonly kind: 'lay';
  readonly scene?: true;
  readonly database: string;
  readonly table: string;
  readonly rows: readonly Row[];
}

/** Statements run, and committed, by the grader's own connection. */
export interface Executed {
  readonly kind: 'execute';
  /** Not part of what is put to the test: it made the database that the case starts from. */
  readonly scene?: true;
  readonly database: string;
  readonly statements: readonly Statement[];
}

/** A file that a command is given. */
export interface Written {
  readonly kind: 'write';
  readonly path: string;
  readonly text: string;
}

/** A call, made while the grader held a lock or not. Without `outcome` it never came to an end. */
export interface Called {
  readonly kind: 'call';
  readonly scene?: true;
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

/** In the words of whoever reads. */
export type Said = (texts: Texts) => string;

/** Something that the submission left in its folder. */
export interface Looked {
  readonly kind: 'look';
  /** In English. */
  readonly what: string;
  readonly said: Said;
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

/** How the names of all databases end. */
const databaseName = 'keys.db';

/** Where one case takes place: its processes, its databases, the grader's own connections, and the record of it. */
export class Bench {
  readonly subject: Subject;
  readonly trace: Event[] = [];
  readonly #places: Places;
  readonly #limits: Limits;
  readonly #session: Session;
  readonly #connections = new Map<string, Connection>();
  readonly #files: string[] = [];
  readonly #copies = new Map<string, string>();
  static #count = 0;

  /** `alone`: see {@link Subject.begin}. */
  constructor(subject: Subject, places: Places, limits: Limits, alone = false) {
    this.subject = subject;
    this.#session = subject.begin(alone);
    this.#places = places;
    this.#limits = limits;
  }

  /** A path never used before: a submission may keep connections by path. */
  newDatabase(): string {
    return this.#newFile(this.#places.shared, databaseName);
  }

  /** The value as the subject's language can hold it. */
  fit<V extends Value>(value: V): V {
    return this.subject.numberTypes === 1 ? (withOneNumberType(value) as V) : value;
  }

  /** Writes a file that a command is to read; returns its path. */
  writeFile(name: string, text: string): string {
    const file = this.#newFile(this.#places.shared, name);
    writeFileSync(file, text, { flag: 'wx' });
    this.trace.push({ kind: 'write', path: file, text });
    return file;
  }

  #newFile(folder: string, name: string): string {
    Bench.#count += 1;
    // A name that is not known beforehand: nothing else lies there. Cryptographic randomness costs 5 % of a run.
    const unknown = Math.random().toString(36).slice(2);
    const file = path.join(folder, `${threadId}-${Bench.#count}-${unknown}-${name}`);
    this.#files.push(file);
    return file;
  }

  async call(call: Call): Promise<Outcome> {
    const event: Called = { kind: 'call', call };
    this.trace.push(event);
    event.outcome = await this.#inTime((limit) => this.#session.call(call, limit));
    return event.outcome;
  }

  /** See {@link Subject.callWhileHeld}. */
  async callWhileHeld(calls: readonly Call[], held: Held, patience: number): Promise<Outcome[]> {
    const events = calls.map((call): Called => ({ kind: 'call', call, held }));
    this.trace.push(...events);
    this.#disconnect(held.database);
    const outcomes = await this.#inTime((limit) => this.#session.callWhileHeld(calls, held, patience, limit));
    for (const [index, outcome] of outcomes.entries()) Object.assign(events[index] ?? {}, { outcome });
    return outcomes;
  }

  /** Lays rows out, in the order given. Throws a {@link Mismatch} where the table refuses one. */
  lay(database: string, table: string, rows: readonly Row[]): void {
    this.#write(
      { kind: 'lay', database, table, rows },
      rows.map((row) => insertion(table, row)),
    );
  }

  /**
   * Throws a {@link Mismatch} where the submission still holds a lock, {@link Inconclusive} where it reads, or
   * where a constraint of its own is against what the grader does in another's place.
   */
  execute(database: string, statements: readonly Statement[]): void {
    this.#write({ kind: 'execute', database, statements }, statements);
  }

  /** The rows as a list of tuples, integers and reals apart; an {@link Opaque} where the query fails. */
  query(database: string, sql: string): Queried {
    const event = (seen: Value): Queried => ({ kind: 'query', database, sql, seen });
    try {
      const connection = this.#connection(database);
      const schema = connection.schema();
      const rows = schema.isTameToRead(sql)
        ? connection.read(sql)
        : inQuarantine(schema, database, { query: sql });
      if (rows.length > mostRows) return event(new Opaque('rows', `more than ${mostRows}`));
      return event(rows.map((row) => new Tuple(row.map(cell))));
    } catch (error) {
      if (!isOwnFault(error)) return event(opaqueOf(error));
      throw error;
    } finally {
      this.#letGo(database);
    }
  }

  /** Throws a {@link Mismatch} unless the query's rows are these. */
  expectRows(database: string, sql: string, expected: Value): void {
    const event = this.query(database, sql);
    if (same(event.seen, expected)) return;
    this.trace.push(event);
    throw new Mismatch(event, event.seen, expected);
  }

  /** Throws a {@link Mismatch} unless what was found in the submission's folder is as expected. */
  look(what: string | Said, seen: Value, expected: Value): void {
    if (same(seen, expected)) return;
    const said = typeof what === 'string' ? () => what : what;
    const event: Looked = { kind: 'look', what: said(textsOf('en')), said, seen };
    this.trace.push(event);
    throw new Mismatch(event, seen, expected);
  }

  /** The text of a file in the submission's folder, which may be missing. */
  submittedText(name: string): string {
    return this.#submitted(name).toString('utf8');
  }

  /** Whether the database's file has these bytes. What cannot be read has not. */
  hasBytes(database: string, bytes: Buffer): boolean {
    try {
      return readForeign(database)?.equals(bytes) ?? false;
    } catch {
      return false;
    }
  }

  /** A copy of a database in the submission's folder, which may be missing. */
  submittedDatabase(name: string): string {
    const known = this.#copies.get(name);
    if (known) return known;
    const copy = this.#newFile(this.#places.own, name);
    writeFileSync(copy, this.#submitted(name));
    if (existsSync(this.#inFolder(`${name}-wal`)))
      writeFileSync(`${copy}-wal`, this.#submitted(`${name}-wal`));
    this.#copies.set(name, copy);
    return copy;
  }

  #submitted(name: string): Buffer {
    let file: Buffer | undefined;
    try {
      file = readForeign(this.#inFolder(name));
    } catch (error) {
      throw new SubjectFailure('load', `${name}: ${(error as Error).message}`);
    }
    if (!file) throw new SubjectFailure('missing', endSaid('noFile', { name }));
    return file;
  }

  #inFolder(name: string): string {
    return path.join(this.subject.folder ?? '', name);
  }

  /** Removes what the case left. */
  close(): void {
    this.#session.end();
    for (const database of [...this.#connections.keys()]) this.#disconnect(database);
    for (const file of this.#files) remove(file);
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

  #connection(database: string): Connection {
    const connection = this.#connections.get(database) ?? new Connection(database);
    this.#connections.set(database, connection);
    return connection;
  }

  #disconnect(database: string): void {
    this.#connections.get(database)?.close();
    this.#connections.delete(database);
  }

  /**
   * With a write-ahead log an open connection holds a lock all the time: a submission could not leave that mode, nor
   * have the file for itself. And that lock is lost unnoticed when this process reads the file by other means, after
   * which the submission removes a log that is still in use here.
   */
  #letGo(database: string): void {
    if (!existsSync(`${database}-wal`)) return;
    this.#disconnect(database);
    for (const suffix of ['-wal', '-shm']) this.#files.push(database + suffix);
  }

  #write(event: Laid | Executed, statements: readonly Statement[]): void {
    this.trace.push(event);
    try {
      this.#transact(event, statements);
    } finally {
      this.#letGo(event.database);
    }
  }

  #transact(event: Laid | Executed, statements: readonly Statement[]): void {
    try {
      const connection = this.#connection(event.database);
      const schema = connection.schema();
      if (schema.isTameToChange(statements.map(({ sql }) => sql))) connection.transact(statements);
      else inQuarantine(schema, event.database, { statements });
    } catch (error) {
      if (error instanceof SubjectFailure) throw error;
      if (isOwnFault(error)) throw new GraderFault(`SQLite: ${(error as Error).message}`);
      if (isCommitting(error) && isSqlite(error, 'SQLITE_BUSY'))
        throw new Inconclusive('the submission reads');
      if (event.kind === 'execute' && isSqlite(error, 'SQLITE_CONSTRAINT'))
        throw new Inconclusive('a trigger of the submission is against it');
      throw new Mismatch(event, opaqueOf(error), new Anything());
    }
  }
}

/** The grader's own connection to a database. It holds no lock between calls, and waits for none. */
class Connection {
  readonly #database: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();

  constructor(path: string) {
    this.#database = openForeign(path);
    this.#database.defaultSafeIntegers();
  }

  schema(): Schema {
    return schemaOf(this.#database, (sql) => this.#prepared(sql));
  }

  /** No more than one row beyond {@link mostRows}. */
  read(sql: string): unknown[][] {
    const rows: unknown[][] = [];
    for (const row of this.#prepared(sql).raw().iterate()) {
      rows.push(row as unknown[]);
      if (rows.length > mostRows) break;
    }
    return rows;
  }

  /** Throws an error of SQLite's; see {@link isCommitting}. */
  transact(statements: readonly Statement[]): void {
    let committing = false;
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      for (const { sql, parameters } of statements) this.#prepared(sql).run(parameters);
      committing = true;
      this.#database.exec('COMMIT');
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
      throw Object.assign(error as Error, { committing });
    }
  }

  close(): void {
    this.#database.close();
  }

  #prepared(sql: string): Database.Statement {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** Whether the value is the path of a database that a bench made. */
export function isDatabasePath(value: Value): value is string {
  return typeof value === 'string' && path.isAbsolute(value) && value.endsWith(`-${databaseName}`);
}

/** What cannot be removed now is removed with the folder that it lies in. */
function remove(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // a submission may have removed it, or may keep us from it
  }
}

/** The statement that inserts a row, with its columns by name. */
export function insertion(table: string, row: Row): Statement {
  const columns = Object.keys(row);
  const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
  return { sql, parameters: Object.values(row) };
}

function cell(value: unknown): Value {
  return Buffer.isBuffer(value) ? new Opaque('BLOB', value.toString('hex')) : (value as Value);
}

/** Whether the statements had been run, and only their commit was refused. */
function isCommitting(error: unknown): boolean {
  return (error as { committing?: boolean }).committing === true;
}

function opaqueOf(error: unknown): Opaque {
  const { code, message } = error as { code: string; message: string };
  return new Opaque(code, message);
}
