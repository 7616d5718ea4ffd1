import type Database from 'better-sqlite3';

/* What a schema that a submission has made may have SQLite do. */

const query = 'SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL';

/** The schema of a database, as it is now. The same text is the same object. */
export function schemaOf(
  database: Database.Database,
  prepare = (sql: string) => database.prepare(sql),
): Schema {
  const created = prepare(query).pluck().all() as string[];
  const text = created.join('\n');
  const known = schemas.get(text) ?? new Schema(created);
  if (schemas.size > 100) schemas.clear();
  schemas.set(text, known);
  return known;
}

const schemas = new Map<string, Schema>();

/** Characters of a schema; triggers of it; statements in one of these. */
const most = { characters: 100_000, triggers: 12, statements: 4 };

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
const trigger = /^create\s+trigger\b.*?\b(insert|update|delete)\b.*?\bon\s+([^\s(]+).*?\bbegin\b(.*)$/s;
const change =
  /\b(?:(insert)\s+(?:or\s+\w+\s+)?into|(replace)\s+into|(update)(?:\s+or\s+\w+)?|(delete))\s+([^\s(;]+)/g;

/** The statements of a schema, read for what they may cost. */
export class Schema {
  /** Why statements on it are not run any more, if so. */
  refusal: Error | undefined;
  readonly #isTame: boolean;
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
    this.#isTame =
      created.join('').length <= most.characters &&
      !others.some((statement) => wild.test(statement)) &&
      triggers.length <= most.triggers &&
      areTame(triggers);
  }

  /**
   * Whether all that it has these statements do is done in a moment. What is not known to be may never end, or take all
   * memory: it is done by a process that can be ended, see quarantine.ts.
   */
  isTameFor(statements: readonly string[]): boolean {
    if (this.#views.length === 0) return this.#isTame;
    const words = new Set(statements.flatMap((statement) => statement.toLowerCase().split(/\W+/)));
    return this.#isTame && !this.#views.some((name) => words.has(name));
  }
}

/** A few statements each, none with a query of its own, and none that sets off another trigger. */
function areTame(triggers: readonly string[]): boolean {
  const parts = triggers.map((statement) => trigger.exec(statement));
  const watched = new Set(parts.map((part) => `${part?.[1]} ${part?.[2]}`));
  return parts.every((part) => {
    const body = part?.[3] ?? ' select ';
    return (
      body.split(';').length <= most.statements + 2 &&
      !/\bselect\b(?!\s+raise\s*\()/.test(body) &&
      [...body.matchAll(change)].every((found) => eventsOf(found).every((event) => !watched.has(event)))
    );
  });
}

/** What a changing statement may set off: one that resolves conflicts updates or deletes, too. */
function eventsOf([text, , , update, remove, table]: RegExpMatchArray): readonly string[] {
  const kinds = update ? ['update'] : remove ? ['delete'] : ['insert', 'update', 'delete'];
  const replaces = /\bor\s+replace\b/.test(text ?? '') ? ['delete'] : [];
  return [...kinds, ...replaces].map((kind) => `${kind} ${table}`);
}
