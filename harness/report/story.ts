/*
 * A failing case as data without words: what every rendering for a learner, in whatever tongue, is made from. Cells, calls and
 * values are in the notation of the submission's language.
 */
export interface Story {
  /** The rows that were there before anything was called. */
  readonly before: readonly Table[];
  /** What was done, in order, up to where the failure was seen. */
  readonly moments: readonly Moment[];
  readonly expected: Telling;
  readonly got: Telling;
  /** Where the rows of a table were looked at: as they had to be, and as they were. */
  readonly after?: { readonly expected: Table; readonly seen: Table };
}

export interface Table {
  readonly name: string;
  /** `path` for the first database of a case, `path2` for the second. */
  readonly database: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export type Moment =
  /** A call or a command, and what came back: null where nothing did. */
  | {
      readonly kind: 'call';
      readonly made: string;
      readonly came: string | null;
      /** 0 for the first process of the case. */
      readonly process: number;
      /** The lock was held, and statements made by another connection, before it could go on. */
      readonly heldBy: readonly string[];
      /** The failure was seen here. */
      readonly failed: boolean;
    }
  /** What another connection did in between, as SQL with its values in place. */
  | { readonly kind: 'statement'; readonly sql: string };

/** Something told of: a value in its notation, one of several, or a phrase of the catalogue. */
export type Telling =
  | { readonly kind: 'value'; readonly text: string }
  | { readonly kind: 'one of'; readonly texts: readonly string[] }
  | {
      readonly kind: 'phrase';
      readonly key: string;
      readonly values: Readonly<Record<string, string | number>>;
    };
