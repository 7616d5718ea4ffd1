import Database from 'better-sqlite3';
import { parametersOf } from './syntax.ts';

/** A column as SQLite lists it. */
export interface Column {
  readonly name: string;
  /** Declared so, or part of the primary key of a table WITHOUT ROWID, or the alias of the rowid. */
  readonly neverNull: boolean;
  readonly inPrimaryKey: boolean;
}

/** An empty database in memory with the tables, indexes, views and triggers of a submission. Close it after use. */
export class Schema {
  readonly #db = new Database(':memory:');
  /**
   * Definitions that are left out, each with what SQLite says: a second table of the same name, or one in a database
   * that only the submission attaches.
   */
  readonly refused: ReadonlyMap<string, string>;

  /** Runs the definitions in any order that works: a trigger may stand before its table. */
  constructor(definitions: readonly string[]) {
    let waiting = new Map(definitions.map((definition) => [definition, '']));
    for (let before = Number.POSITIVE_INFINITY; waiting.size < before; ) {
      before = waiting.size;
      const refusals = [...waiting.keys()].map(
        (sql) => [sql, complaintOf(() => this.#db.exec(sql))] as const,
      );
      waiting = new Map(
        refusals.flatMap(([sql, complaint]) => (complaint === undefined ? [] : [[sql, complaint]])),
      );
    }
    this.refused = waiting;
  }

  /** What SQLite says against a statement; undefined if it can be prepared. */
  complaintAbout(sql: string): string | undefined {
    return complaintOf(() => this.#db.prepare(sql));
  }

  /**
   * The bytecode that SQLite makes of a statement, and the names of its columns; undefined if it cannot be prepared.
   */
  programOf(sql: string): string | undefined {
    let program: string | undefined;
    complaintOf(() => {
      const statement = this.#db.prepare(sql);
      const names = statement.reader ? statement.columns().map(({ name }) => name) : [];
      program = JSON.stringify([names, this.#explain(sql)]);
    });
    return program;
  }

  /** EXPLAIN wants its parameters bound, and does not look at them. */
  #explain(sql: string): unknown[] {
    const parameters = parametersOf(sql);
    const anonymous = parameters.filter((parameter) => parameter === '?').map(() => null);
    const named = Object.fromEntries(parameters.map((parameter) => [parameter.slice(1), null]));
    return this.#db
      .prepare(`EXPLAIN ${sql}`)
      .raw()
      .all(...anonymous, named);
  }

  /** The columns of a table or a view, in order; none if there is no such thing. */
  columnsOf(table: string): readonly Column[] {
    const columns = this.#db
      .prepare('SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?)')
      .all(table) as {
      readonly name: string;
      readonly type: string;
      readonly notnull: number;
      readonly pk: number;
    }[];
    const keys = columns.filter(({ pk }) => pk > 0);
    const { wr: withoutRowid = 0 } = (this.#db
      .prepare('SELECT wr FROM pragma_table_list WHERE name = ? COLLATE NOCASE')
      .get(table) ?? {}) as { wr?: number };
    return columns.map(({ name, type, notnull, pk }) => {
      const aliasOfRowid = pk > 0 && keys.length === 1 && type.toUpperCase() === 'INTEGER';
      const neverNull = notnull === 1 || aliasOfRowid || (pk > 0 && withoutRowid === 1);
      return { name: name.toLowerCase(), neverNull, inPrimaryKey: pk > 0 };
    });
  }

  /** Names of tables and views. */
  tables(): readonly string[] {
    return this.#db
      .prepare("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'")
      .pluck()
      .all() as string[];
  }

  close(): void {
    this.#db.close();
  }
}

function complaintOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
