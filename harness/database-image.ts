import Database from 'better-sqlite3';
import { insertion, type Row } from './bench.ts';
import { inQuarantine } from './quarantine.ts';
import { type Schema, schemaOf } from './schema.ts';
import type { Statement } from './subject/subject.ts';

/** Where a database file's header tells rollback journal (1) from write-ahead log (2): SQLite's file format, 1.3. */
const versions = [18, 19] as const;

/**
 * A database file to make others of, with rows of their own. They are laid out in memory: four times faster than in
 * the file, and no transaction of the grader's is ever open on a file that a submission sees.
 */
export class DatabaseImage {
  readonly #image: Buffer;
  readonly #version: number;
  #memory: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();
  readonly #later = new Map<string, DatabaseImage>();
  /** To take rows out again is something that a submission's own trigger may forbid, or count. */
  readonly #hasTriggers: boolean;
  readonly #schema: Schema;

  constructor(file: Buffer) {
    this.#version = file[versions[0]] ?? 1;
    this.#image = stamped(file, 1); // what is in memory cannot have a log beside it
    this.#memory = new Database(this.#image);
    const triggers = "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'";
    this.#schema = schemaOf(this.#memory);
    this.#hasTriggers = this.#memory.prepare(triggers).pluck().get() !== 0;
  }

  /** The image after these statements. */
  after(sql: readonly string[]): DatabaseImage {
    const name = sql.join(';');
    const known = this.#later.get(name) ?? this.#with(sql);
    this.#later.set(name, known);
    return known;
  }

  #with(sql: readonly string[]): DatabaseImage {
    if (!this.#schema.isTameToChange(sql))
      return new DatabaseImage(this.#afterwards(sql.map((each) => ({ sql: each, parameters: [] }))));
    const memory = new Database(this.#image);
    for (const statement of sql) memory.exec(statement);
    const file = stamped(memory.serialize(), this.#version);
    memory.close();
    return new DatabaseImage(file);
  }

  /** The file's bytes, with these rows in a table that is empty in the image. */
  with(table: string, rows: readonly Row[]): Buffer {
    if (rows.length === 0) return this.#file();
    if (!this.#schema.isTameToChange([table]))
      return this.#afterwards(rows.map((row) => insertion(table, row)));
    this.#memory.exec('BEGIN');
    for (const row of rows) this.#run(insertion(table, row));
    this.#memory.exec('COMMIT');
    const file = this.#file();
    if (this.#hasTriggers) this.#startAgain();
    else this.#run({ sql: `DELETE FROM ${table}`, parameters: [] });
    return file;
  }

  #afterwards(statements: readonly Statement[]): Buffer {
    const [[bytes] = []] = inQuarantine(this.#schema, this.#image, { statements });
    return stamped(Buffer.from(bytes as Uint8Array), this.#version);
  }

  #startAgain(): void {
    this.#statements.clear();
    this.#memory.close();
    this.#memory = new Database(this.#image);
  }

  #run({ sql, parameters }: Statement): void {
    const statement = this.#statements.get(sql) ?? this.#memory.prepare(sql);
    this.#statements.set(sql, statement);
    statement.run(parameters);
  }

  #file(): Buffer {
    return stamped(this.#memory.serialize(), this.#version);
  }
}

/** Whether what is committed may lie in a log beside the file. */
export function hasLog(file: Buffer): boolean {
  return file[versions[0]] !== 1;
}

function stamped(file: Buffer, version: number): Buffer {
  for (const offset of versions) file[offset] = version;
  return file;
}
