import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, test } from 'vitest';
import { openForeign } from '../harness/foreign-database.ts';
import { inQuarantine, type Work } from '../harness/quarantine.ts';
import { type Schema, schemaOf } from '../harness/schema.ts';
import { openScratch } from '../harness/scratch.ts';
import { SubjectFailure } from '../harness/subject/subject.ts';

const scratch = openScratch();
afterAll(() => scratch.remove());

const keys = 'CREATE TABLE keys(id TEXT PRIMARY KEY, status TEXT NOT NULL)';

/** A new database file made by these statements. */
function made(...statements: readonly string[]): string {
  const file = path.join(mkdtempSync(path.join(scratch.folder, 'made-')), 'keys.db');
  const database = new Database(file);
  for (const statement of statements) database.exec(statement);
  database.close();
  return file;
}

describe('what is opened', () => {
  const refused: Readonly<Record<string, (file: string) => void>> = {
    'a link to another database': (file) => symlinkSync(made(keys), file),
    'a link to nothing': (file) => symlinkSync('/nowhere', file),
    'a folder': (file) => mkdirSync(file),
    'a FIFO': (file) => execFileSync('mkfifo', [file]),
    'a device': (file) => symlinkSync('/dev/zero', file),
    'a FIFO where the journal is looked for': (file) => {
      writeFileSync(file, '');
      execFileSync('mkfifo', [`${file}-journal`]);
    },
    'a file of a terabyte': (file) => {
      writeFileSync(file, '');
      truncateSync(file, 2 ** 40);
    },
  };
  test.each(Object.entries(refused))('is not %s', (_, make) => {
    const file = path.join(mkdtempSync(path.join(scratch.folder, 'refused-')), 'keys.db');
    make(file);
    expect(() => openForeign(file)).toThrow(Database.SqliteError);
  });

  test('cannot have its schema written to, and calls nothing with side effects', () => {
    const database = openForeign(made(keys));
    database.exec('PRAGMA writable_schema = ON');
    expect(() => database.exec("UPDATE sqlite_schema SET sql = ''")).toThrow(/may not be modified/);
    expect(database.pragma('trusted_schema', { simple: true })).toBe(0);
    database.close();
  });
});

describe('a schema', () => {
  const asked = <T>(statements: readonly string[], ask: (schema: Schema) => T): T => {
    const database = new Database(made(keys, ...statements));
    const answer = ask(schemaOf(database));
    database.close();
    return answer;
  };
  const verdict = (statements: readonly string[]) =>
    asked(statements, (schema) => schema.isTameToChange(["INSERT INTO keys VALUES ('a', 'b')"]));
  const trigger = (body: string) => `CREATE TRIGGER t AFTER INSERT ON keys BEGIN ${body} END`;

  const tame: Readonly<Record<string, readonly string[]>> = {
    'with tables and indexes': [
      'CREATE TABLE other(x CHECK (x IN (1, 2)))',
      'CREATE INDEX i ON keys(status, id)',
    ],
    'with a CHECK of JSON': ['CREATE TABLE other(x CHECK (x IS NULL OR json_valid(x)))'],
    'with a view that nobody asks': ['CREATE VIEW done AS SELECT id FROM keys JOIN keys USING (id)'],
    'with triggers that count': [
      'CREATE TABLE "tally"(n)',
      trigger('UPDATE "tally" SET n = n + 1; DELETE FROM tally WHERE n < 0;'),
      'CREATE TRIGGER u AFTER DELETE ON keys BEGIN INSERT OR REPLACE INTO tally VALUES (OLD.id); END',
    ],
    'with a trigger that refuses': [trigger("SELECT RAISE(ABORT, 'from here with a join: glob')\n;")],
    'with words in texts and comments': [
      "CREATE TABLE other(x DEFAULT 'from with glob' /* join */ -- like\n)",
    ],
  };
  test.each(Object.entries(tame))('%s is tame', (_, statements) => expect(verdict(statements)).toBe(true));

  const wild: Readonly<Record<string, readonly string[]>> = {
    'with a trigger that queries': [trigger('INSERT INTO keys SELECT 1, 2;')],
    'with a trigger without end': [
      trigger(
        'UPDATE keys SET id = (WITH c(x) AS (SELECT 1 UNION ALL SELECT x FROM c) SELECT count(*) FROM c);',
      ),
    ],
    'with triggers that set each other off': [
      'CREATE TABLE other(x)',
      trigger('INSERT INTO "other" VALUES (1);'),
      'CREATE TRIGGER u AFTER INSERT ON [other] BEGIN INSERT INTO keys VALUES (random(), 1); END',
    ],
    'with a pattern that explodes': ["CREATE TABLE other(x CHECK (x NOT GLOB '*a*a*a*b'))"],
    'with a column that is computed': ['CREATE TABLE other(x, y AS (zeroblob(x)))'],
    'with a function that makes much of little': ['CREATE TABLE other(x DEFAULT (hex ( zeroblob(9)))) '],
    'with very many triggers': Array.from(
      { length: 13 },
      (_, n) => `CREATE TRIGGER t${n} AFTER INSERT ON keys BEGIN SELECT RAISE(IGNORE); END`,
    ),
  };
  test.each(Object.entries(wild))('%s is not', (_, statements) => expect(verdict(statements)).toBe(false));

  test('with a view is not where the view is asked', () => {
    const view = ['CREATE VIEW done AS SELECT id FROM keys'];
    const reads = (query: string) => asked(view, (schema) => schema.isTameToRead(query));
    expect(reads('SELECT * FROM "Done"')).toBe(false);
    expect(reads('SELECT done_at FROM keys')).toBe(true);
    expect(asked(view, (schema) => schema.isTameToChange(['DELETE FROM "Done"']))).toBe(false);
  });

  test('is read without its triggers and constraints, and with its columns', () => {
    const read = (statements: readonly string[]) =>
      asked(statements, (schema) => schema.isTameToRead('SELECT id FROM keys'));
    expect(read([trigger('INSERT INTO keys SELECT 1, 2;')])).toBe(true);
    expect(read(["CREATE TABLE other(x CHECK (x NOT GLOB '*a*a*a*b'))"])).toBe(true);
    expect(read(["CREATE TABLE other(x, y AS (x || ' ' || substr(x, 2)))"])).toBe(true);
    expect(read(['CREATE TABLE other(x, y AS (x || x), z AS (y || y), w AS (z || z))'])).toBe(false);
    expect(read([`CREATE TABLE other(x, y AS (x${' || x'.repeat(5)}))`])).toBe(false);
    expect(read(['CREATE TABLE other("x)", y AS ("x)" || zeroblob("x)")))'])).toBe(false);
    expect(read(['CREATE TABLE other(x, y AS (zeroblob(x)))'])).toBe(false);
    expect(read(['CREATE TABLE other(x, y GENERATED ALWAYS AS (hex(x)) VIRTUAL)'])).toBe(false);
  });

  test('has nothing to do where nothing is changed', () => {
    const nothing = (schema: Schema) => schema.isTameToChange([]);
    expect(asked([trigger('INSERT INTO keys SELECT 1, 2;')], nothing)).toBe(true);
  });
});

/** The work, done on a schema of its own. */
function quarantined(file: string | Buffer, work: Work): unknown[][] {
  const database = new Database(file);
  const schema = schemaOf(database);
  database.close();
  return inQuarantine(schema, file, work);
}

describe('in quarantine', () => {
  const endless = 'WITH c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c';

  test('statements are committed, and a query has its rows', () => {
    const file = made(keys);
    const statements = [{ sql: 'INSERT INTO keys VALUES (?, ?)', parameters: ['a', 1n] }];
    expect(quarantined(file, { statements })).toEqual([]);
    expect(quarantined(file, { query: 'SELECT id, status, 1, 1.0 FROM keys' })).toEqual([['a', '1', 1n, 1]]);
  });

  test('the bytes of a database come back changed', () => {
    const database = new Database(made(keys));
    const statements = [{ sql: "INSERT INTO keys VALUES ('a', 'b')", parameters: [] }];
    const [[bytes] = []] = quarantined(database.serialize(), { statements });
    expect(
      new Database(Buffer.from(bytes as Uint8Array)).prepare('SELECT id FROM keys').pluck().all(),
    ).toEqual(['a']);
    database.close();
  });

  test('an error of SQLite keeps its code', () => {
    const twice = { sql: "INSERT INTO keys VALUES ('a', 'b')", parameters: [] };
    expect(() => quarantined(made(keys), { statements: [twice, twice] })).toThrow(
      expect.objectContaining({ code: 'SQLITE_CONSTRAINT_PRIMARYKEY', committing: false }),
    );
  });

  test('what never ends is ended', () => {
    const file = made(keys, `CREATE VIEW v AS ${endless}`);
    expect(() => quarantined(file, { query: 'SELECT * FROM v' })).toThrow(SubjectFailure);
    const again = performance.now();
    expect(() => quarantined(file, { query: 'SELECT * FROM v' })).toThrow(SubjectFailure);
    expect(performance.now() - again).toBeLessThan(500);
  });

  test('what takes all memory is refused', () => {
    const file = made(keys, 'CREATE VIEW v AS SELECT hex(zeroblob(400000000)) AS x');
    expect(() => quarantined(file, { query: 'SELECT x FROM v' })).toThrow();
  });
});
