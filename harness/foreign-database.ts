import { existsSync, lstatSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';

/* Databases that a submission has had in its hands: nothing in them is trusted, and no place is what it seems. */

/** Bytes of a database that is read: a correct submission's has some thousand. */
export const mostBytes = 64 << 20;

/** Bytes that SQLite may take in this process, for all its connections. */
const heapLimit = 512 << 20;

/** What SQLite opens by itself beside a database. */
const besides = ['-journal', '-wal', '-shm'];

/**
 * A connection that waits for no lock, and runs no function with side effects that a schema names: SQLite,
 * trusted_schema. Its defensive mode, which better-sqlite3 sets, keeps the schema from being written to.
 * Throws a SqliteError with the code `SQLITE_CANTOPEN` where the path, or what lies beside it, is no regular file (a link
 * is not followed, a FIFO would never open), `SQLITE_TOOBIG` where it is too large.
 */
export function openForeign(file: string): Database.Database {
  for (const each of [file, ...besides.map((suffix) => file + suffix)]) {
    const status = lstatSync(each, { throwIfNoEntry: false });
    if (!status) continue;
    if (!status.isFile()) throw refusal('SQLITE_CANTOPEN', 'no regular file where the database was');
    if (status.size > mostBytes) throw refusal('SQLITE_TOOBIG', `a file of ${status.size} bytes`);
  }
  // SQLite itself would make a file that no other user can write to.
  if (!existsSync(file)) writeFileSync(file, '', { flag: 'wx' });
  const database = new Database(file, { timeout: 0 });
  database.exec(`PRAGMA trusted_schema = OFF; PRAGMA hard_heap_limit = ${heapLimit}`);
  return database;
}

function refusal(code: string, message: string): Error {
  return new Database.SqliteError(message, code);
}

/** Whether it is an error of SQLite's whose code begins so. */
export function isSqlite(error: unknown, prefix: string): error is Error & { code: string } {
  return error instanceof Database.SqliteError && error.code.startsWith(prefix);
}

/** Whether the machine is the reason, and not what is in the file. */
export function isOwnFault(error: unknown): boolean {
  return !isSqlite(error, 'SQLITE_') || ['SQLITE_IOERR', 'SQLITE_FULL'].some((code) => isSqlite(error, code));
}

const schema = 'SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL';

/**
 * Whether all that the schema has these statements do is done in a moment. What is not known to be may never end, or take
 * all memory: it is done by a process that can be ended, see quarantine.ts.
 */
export function isTame(
  database: Database.Database,
  statements: readonly string[],
  prepare = (sql: string) => database.prepare(sql),
): boolean {
  const created = prepare(schema).pluck().all() as string[];
  const text = created.join('\n');
  const known = judged.get(text) ?? new SchemaText(created);
  if (judged.size > 100) judged.clear();
  judged.set(text, known);
  return known.isTame && !statements.some((statement) => known.viewIn(statement));
}

const judged = new Map<string, SchemaText>();

/** Characters of a schema; triggers of it; statements in one of these. */
const most = { characters: 20_000, triggers: 12, statements: 4 };

const texts = /'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\//g;
const quotes = /["`[\]]/g;

/** Queries, patterns whose matching explodes, columns that are computed, functions that make much of little. */
const wild = new RegExp(
  [
    '\\b(?:with|from|join|glob|like|regexp|match|generated|using)\\b',
    '\\bas\\s*\\(',
    '\\b(?:zeroblob|randomblob|printf|format|hex|replace|quote|group_concat|string_agg|concat\\w*)\\s*\\(',
    '\\bjsonb?_(?!valid\\b|type\\b)\\w+\\s*\\(',
  ].join('|'),
);
const view = /^create\s+(?:view|virtual\s+table)\s+(?:if\s+not\s+exists\s+)?([^\s(]+)/;
const trigger = /^create\s+trigger\b.*?\bon\s+([^\s(]+).*?\bbegin\b(.*)$/s;
const target =
  /\b(?:insert\s+(?:or\s+\w+\s+)?into|replace\s+into|update(?:\s+or\s+\w+)?|delete)\s+([^\s(;]+)/g;

/** The statements of a schema, read for what they may cost. */
class SchemaText {
  readonly isTame: boolean;
  readonly #views: readonly string[];

  constructor(created: readonly string[]) {
    const bare = created.map((statement) =>
      statement
        .replace(texts, ' x ')
        .replace(quotes, '')
        .toLowerCase()
        .trim()
        .replace(/\bdelete\s+from\b/g, 'delete'),
    );
    this.#views = bare.flatMap((statement) => view.exec(statement)?.[1] ?? []);
    const others = bare.filter((statement) => !view.test(statement));
    const triggers = others.filter((statement) => /^create\s+trigger\b/.test(statement));
    this.isTame =
      created.join('').length <= most.characters &&
      !others.some((statement) => wild.test(statement)) &&
      triggers.length <= most.triggers &&
      areTame(triggers);
  }

  /** Whether the statement reads what is computed. */
  viewIn(statement: string): boolean {
    const words = statement.toLowerCase().split(/\W+/);
    return this.#views.some((name) => words.includes(name));
  }
}

/** A few statements each, none with a query of its own, and none that sets off another trigger. */
function areTame(triggers: readonly string[]): boolean {
  const parts = triggers.map((statement) => trigger.exec(statement) ?? ['', '', ' select ']);
  const watched = new Set(parts.map(([, table]) => table));
  return parts.every(
    ([, , body = '']) =>
      body.split(';').length <= most.statements + 2 &&
      !/\bselect\b(?!\s+raise\s*\()/.test(body) &&
      ![...body.matchAll(target)].some(([, table]) => watched.has(table ?? '')),
  );
}
