import type { Texts } from '../messages/texts.ts';

/*
 * A failing case as a learner is told of it, in the tongue that they read. Cells, calls and values are in the notation of the
 * submission's language.
 */
export interface Story {
  /** The rows that were there before anything was called. */
  readonly before: readonly Table[];
  /** What was done, in order, up to where the failure was seen. */
  readonly moments: readonly Moment[];
  readonly expected: string;
  readonly got: string;
  /** Where the rows of a table were looked at: as they had to be, and as they were. */
  readonly after?: { readonly expected: Table; readonly seen: Table };
}

export interface Table {
  readonly name: string;
  /** `path` for the first database of a case, `path2` for the second; the file's name where commands are run. */
  readonly database: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface Moment {
  /** The submission was called; another connection changed the database; a file was written; the grader looked. */
  readonly actor: 'submission' | 'other' | 'file' | 'grader';
  /** A call, a command, an SQL statement with its values in place, a file's name and text. */
  readonly text: string;
  /** What came of it, a line each. */
  readonly came: readonly string[];
  /** The failure was seen here. */
  readonly failed: boolean;
}

/** What was there before, a row a line. */
export function linesBefore({ before }: Pick<Story, 'before'>, texts: Texts): string[] {
  return before.flatMap(({ name, database, rows }) =>
    rows.map((cells) => {
      const row = `(${cells.join(', ')})`;
      if (database === 'path') return row;
      if (/^path\d+$/.test(database)) return texts.say('telling', 'rowIn', { row, database });
      return `${name}: ${row}`;
    }),
  );
}

/** What was done, as lines. */
export function linesOf({ actor, text, came }: Moment, texts: Texts): string[] {
  if (actor === 'other') return [texts.say('telling', 'otherConnection', { sql: text })];
  if (actor === 'grader') return [texts.say('telling', 'lookAt', { what: text })];
  if (came.length < 2) return [[text, ...came].join(' -> ')];
  return [text, ...came.map((line) => `  -> ${line}`)];
}
