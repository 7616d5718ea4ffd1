import type { Stmt } from 'sqlite3-parser';
import { type FilledText, fill } from './edits.ts';
import type { HostText } from './host-text.ts';
import { hostTexts } from './host-texts.ts';
import { Schema } from './schema.ts';
import { type ParsedStatement, parseStatements, tokensOf } from './syntax.ts';

/** One SQL statement of a submission, and where it stands. */
export interface Statement extends ParsedStatement {
  readonly host: HostText;
  /** The text that it is all or a part of; `from` and `to` are places there. */
  readonly text: FilledText;
  /** Whether SQLite can prepare it in the submission's own schema. If not, its tables come from elsewhere. */
  readonly prepares: boolean;
}

/** A submission's source files by relative path. */
export type Files = Readonly<Record<string, string>>;

/** What is found in a submission. */
export interface Submission {
  readonly statements: readonly Statement[];
  /** Its CREATE and ALTER statements, in the order of the files. */
  readonly definitions: readonly string[];
}

/**
 * The SQL statements in the string literals of a submission. A text is one if it starts with a statement's keyword,
 * SQLite's grammar accepts it, and SQLite prepares it in the schema that the submission creates. Where SQLite does
 * not, because the schema comes from elsewhere, or where the text is a mere word (`end`), it must also be meant as
 * SQL: be written in capitals, or be handed to something named as drivers name it. Holes are filled with what makes a
 * statement.
 */
export function readSubmission(files: Files, given = ''): Submission {
  const hosts = Object.keys(files)
    .sort()
    .flatMap((file) => hostTexts(file, files[file] ?? ''))
    .filter(startsLikeSql);
  const own = hosts.flatMap((host) => {
    const first = [...fillings(host, [])].find((filled) => parseStatements(filled.sql) !== undefined);
    return first ? definitionsIn(first.sql) : [];
  });
  const definitions = [...definitionsIn(given), ...own];
  const schema = new Schema(definitions);
  try {
    return { statements: hosts.flatMap((host) => statementsIn(host, schema)), definitions };
  } finally {
    schema.close();
  }
}

function definitionsIn(sql: string): readonly string[] {
  const statements = parseStatements(sql) ?? [];
  return statements.filter(({ tree }) => isDefinition(tree)).map((statement) => statement.sql);
}

export function isDefinition({ type }: Stmt): boolean {
  return type.startsWith('Create') || type === 'AlterTableStmt';
}

function statementsIn(host: HostText, schema: Schema): readonly Statement[] {
  const readings = [...fillings(host, schema.tables())].flatMap((text) => {
    const parsed = parseStatements(text.sql);
    return parsed ? [{ text, parsed }] : [];
  });
  const prepared = readings.find(({ parsed }) => parsed.every(({ sql }) => isAccepted(sql, schema)));
  const { text, parsed } = prepared ?? readings[0] ?? {};
  if (!text || !parsed) return [];
  const clearly = prepared && tokensOf(text.sql).filter((token) => token.text !== ';').length > 1;
  if (!clearly && !isMeant(host, text.sql)) return [];
  return parsed.map((statement) => ({
    ...statement,
    host,
    text,
    prepares: isAccepted(statement.sql, schema),
  }));
}

/** That something exists, SQLite says of every CREATE that is already in the schema. */
function isAccepted(sql: string, schema: Schema): boolean {
  const complaint = schema.complaintAbout(sql);
  return complaint === undefined || complaint.endsWith('already exists');
}

const keywords = new Set(
  'ALTER ANALYZE ATTACH BEGIN COMMIT CREATE DELETE DETACH DROP END EXPLAIN INSERT PRAGMA REINDEX RELEASE REPLACE ROLLBACK SAVEPOINT SELECT UPDATE VACUUM VALUES WITH'.split(
    ' ',
  ),
);

function startsLikeSql({ pieces }: HostText): boolean {
  const beginning = pieces.map((piece) => (piece.kind === 'literal' ? piece.text : '_')).join('');
  const [first] = tokensOf(beginning);
  return first !== undefined && keywords.has(first.text.toUpperCase());
}

/** Names under which drivers take SQL. */
const takesSql = /^(exec|execute|executemany|executescript|prepare|query|run|sql)$/i;

function isMeant({ handedTo = '' }: HostText, sql: string): boolean {
  const [first] = tokensOf(sql);
  return first?.text === first?.text.toUpperCase() || takesSql.test(handedTo);
}

/** Readings tried for one text at most: three holes with eight candidates each. */
const patience = 512;

/**
 * The ways to fill the holes, likely ones first: a name made of the expression, which is the same wherever the
 * expression is (`CREATE TABLE {table}`, `SELECT … FROM {table}`); a number; nothing; the name of a table.
 */
function* fillings({ file, pieces }: HostText, tables: readonly string[]): Generator<FilledText> {
  const holes = [...new Set(pieces.flatMap((piece) => (piece.kind === 'hole' ? [piece.expression] : [])))];
  let rest = patience;
  function* fillFrom(index: number, values: ReadonlyMap<string, string>): Generator<FilledText> {
    const expression = holes[index];
    if (expression === undefined) {
      if (rest-- > 0) yield fill(file, pieces, (hole) => values.get(hole) ?? '');
      return;
    }
    for (const value of [placeholder(expression), '1', '', ...tables]) {
      if (rest > 0) yield* fillFrom(index + 1, new Map([...values, [expression, value]]));
    }
  }
  yield* fillFrom(0, new Map());
}

function placeholder(expression: string): string {
  return `hole_${expression.replace(/\W+/g, '_')}`;
}
