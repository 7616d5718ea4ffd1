import type { Stmt } from 'sqlite3-parser';
import type { SqlEdit } from './edits.ts';
import type { Column } from './schema.ts';

/** A rule by which a statement is made wrong. */
export interface SqlOperator {
  /** As the literature names it, where it does: `ROR`. */
  readonly name: string;
  readonly mutate: (statement: Mutable, knowledge: Knowledge) => Iterable<Mutation>;
}

/** A statement as operators see it: places in `tree` count from the start of `sql`. */
export interface Mutable {
  readonly sql: string;
  readonly tree: Stmt;
}

/** One wrong version of a statement. */
export interface Mutation {
  /** They do not overlap. */
  readonly edits: readonly SqlEdit[];
  /** What it does, as the beginning of a sentence: "`<=` becomes `<`". */
  readonly what: string;
}

/** What the rest of the submission tells about a statement. */
export interface Knowledge {
  /** The columns of a table in order; none if the submission does not create it. */
  readonly columnsOf: (table: string) => readonly Column[];
  /** The strings that the submission's SQL compares with a column of that name, or puts there. */
  readonly stringsOf: (column: string) => readonly string[];
}
