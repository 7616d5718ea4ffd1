import type Database from 'better-sqlite3';

/* What a schema that a submission has made may have SQLite do. */

const query = 'SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL';

/** The schema of a database, as it is now. The same text is the same object. */
export function schemaOf(
  database: Database.Database,
  prepare: (sql: string) => Database.Statement = (sql) => database.prepare(sql),
): Schema {
  const created = prepare(query).pluck().all() as string[];
  const text = created.join('\n');
  const known = schemas.get(text) ?? new Schema(created);
  if (schemas.size > 100) schemas.clear();
  schemas.set(text, known);
  return known;
}

const schemas = new Map<string, Schema>();

/** Characters of a schema; its triggers; statements in one of these; columns that a table computes; signs `||` in one. */
const most = { characters: 100_000, triggers: 12, statements: 4, computed: 2, concatenations: 4 };

/** Texts, comments, and names in quotes, in which any sign may stand. */
const quoted = /'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]/g;

/** Queries, patterns whose matching explodes, functions that make much of little, or take long over it. */
const wild = new RegExp(
  [
    '\\b(?:with|from|join|glob|like|regexp|match|using)\\b',
    '\\b(?:instr|zeroblob|randomblob|printf|format|hex|replace|quote|group_concat|string_agg|concat\\w*)\\s*\\(',
    '\\bjsonb?_(?!valid\\b|type\\b)\\w+\\s*\\(',
  ].join('|'),
);
const computed = /\bas\s*(?=\()/g;
const call = /\b(?!(?:upper|lower|length|substr|abs|coalesce|ifnull|cast|and|or|not|in)\b)\w+\s*\(/;
const view = /^create\s+(?:view|virtual\s+table)\s+(?:if\s+not\s+exists\s+)?([^\s(]+)/;
const trigger = /^create\s+trigger\b.*?\b(insert|update|delete)\b.*?\bon\s+([^\s(]+).*?\bbegin\b(.*)$/s;
const change =
  /\b(?:insert\s+(?:or\s+\w+\s+)?into|replace\s+into|(update)(?:\s+or\s+\w+)?|(delete))\s+([^\s(;]+)/g;

/** The statements of a schema, read for what they may cost. */
export class Schema {
  /** Why statements on it are not run any more, if so. */
  refusal: Error | undefined;
  /** Whether what columns compute is simple. */
  readonly #isPlain: boolean;
  readonly #isTame: boolean;
  readonly #views: readonly string[];

  constructor(created: readonly string[]) {
    const bare = created.map((statement) =>
      statement
        .replace(quoted, (part) => (/^["`[]/.test(part) ? part.replace(/\W+/g, ' ') : ' x '))
        .toLowerCase()
        .trim()
        .replace(/\bdelete\s+from\b/g, 'delete'),
    );
    this.#views = bare.flatMap((statement) => view.exec(statement)?.[1] ?? []);
    const others = bare.filter((statement) => !view.test(statement));
    const triggers = others.filter((statement) => /^create\s+trigger\b/.test(statement));
    const tables = others.filter((statement) => !triggers.includes(statement));
    this.#isPlain = tables.every(computesLittle);
    this.#isTame =
      this.#isPlain &&
      created.join('').length <= most.characters &&
      !others.some((statement) => wild.test(statement)) &&
      triggers.length <= most.triggers &&
      areTame(triggers);
  }

  /**
   * Whether all that it has this query do is done in a moment. What is not known to be may never end, or take all memory:
   * it is done by a process that can be ended, see quarantine.ts. Triggers and constraints have no part in it.
   */
  isTameToRead(query: string): boolean {
    return this.#isPlain && !this.#namesViewIn([query]);
  }

  /** The same of statements that change rows. */
  isTameToChange(statements: readonly string[]): boolean {
    return statements.length === 0 || (this.#isTame && !this.#namesViewIn(statements));
  }

  #namesViewIn(statements: readonly string[]): boolean {
    if (this.#views.length === 0) return false;
    const words = new Set(statements.flatMap((statement) => statement.toLowerCase().split(/\W+/)));
    return this.#views.some((name) => words.has(name));
  }
}

/** Few computed columns, each a short expression that calls nothing which could take long. */
function computesLittle(table: string): boolean {
  const expressions = [...table.matchAll(computed)].map(({ index, 0: { length } }) =>
    enclosed(table.slice(index + length)),
  );
  return (
    expressions.length <= most.computed &&
    expressions.every(
      (text) =>
        !wild.test(text) &&
        !/\bselect\b/.test(text) &&
        !call.test(text) &&
        text.split('||').length <= most.concatenations + 1,
    )
  );
}

/** What stands between the parenthesis a text begins with and the one that closes it. */
function enclosed(text: string): string {
  let depth = 0;
  const end = [...text].findIndex((sign) => {
    depth += sign === '(' ? 1 : sign === ')' ? -1 : 0;
    return depth === 0;
  });
  return text.slice(1, end);
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
function eventsOf([text, update, remove, table]: RegExpMatchArray): readonly string[] {
  const kinds = update ? ['update'] : remove ? ['delete'] : ['insert', 'update', 'delete'];
  const replaces = /\bor\s+replace\b/.test(text ?? '') ? ['delete'] : [];
  return [...kinds, ...replaces].map((kind) => `${kind} ${table}`);
}
