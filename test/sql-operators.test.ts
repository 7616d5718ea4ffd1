// biome-ignore-all lint/suspicious/noTemplateCurlyInString: sources of TypeScript, as they are written
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { transformSync } from 'esbuild';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { edited, fill, sourceChanges } from '../harness/mutation/sql/edits.ts';
import { hostTexts } from '../harness/mutation/sql/host-texts.ts';
import {
  applyChanges,
  type SqlMutant,
  sourceChangesOf,
  sqlMutants,
} from '../harness/mutation/sql/mutants.ts';
import { sqlOperators } from '../harness/mutation/sql/operators.ts';
import { type Files, readSubmission } from '../harness/mutation/sql/statements.ts';
import { projectFile } from '../harness/project.ts';
import { python3 } from './submissions.ts';

/*
 * What each operator makes of its own examples, in both host languages; which texts are taken for SQL, and where
 * edits land in the source; what is stillborn; and that all mutants of the references compile.
 */

/** The table that the examples speak of, unless they create one. */
const keys = 'CREATE TABLE keys(id TEXT PRIMARY KEY, status TEXT NOT NULL, expires REAL NOT NULL, n INTEGER)';

/** By operator: a statement, and all that the operator makes of it. */
const examples: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  ROR: {
    'SELECT id FROM keys WHERE expires <= ?': [
      'SELECT id FROM keys WHERE expires < ?',
      'SELECT id FROM keys WHERE expires = ?',
    ],
    'SELECT id FROM keys WHERE expires < ?': [
      'SELECT id FROM keys WHERE (expires < ? AND 0)',
      'SELECT id FROM keys WHERE expires <= ?',
      'SELECT id FROM keys WHERE expires <> ?',
    ],
    'SELECT id FROM keys WHERE expires >= ?': [
      'SELECT id FROM keys WHERE expires > ?',
      'SELECT id FROM keys WHERE expires = ?',
    ],
    'SELECT id FROM keys WHERE expires > ?': [
      'SELECT id FROM keys WHERE (expires > ? AND 0)',
      'SELECT id FROM keys WHERE expires >= ?',
      'SELECT id FROM keys WHERE expires <> ?',
    ],
    'SELECT id FROM keys WHERE n == ?': [
      'SELECT id FROM keys WHERE (n == ? AND 0)',
      'SELECT id FROM keys WHERE n <= ?',
      'SELECT id FROM keys WHERE n >= ?',
    ],
    'SELECT id FROM keys WHERE n != ?': [
      'SELECT id FROM keys WHERE n < ?',
      'SELECT id FROM keys WHERE n > ?',
    ],
    "SELECT id FROM keys WHERE status = 'done'": ["SELECT id FROM keys WHERE (status = 'done' AND 0)"],
  },
  LCR: {
    'SELECT n FROM keys WHERE n = 1 AND id = ? OR expires > 2': [
      'SELECT n FROM keys WHERE n = 1 OR id = ? OR expires > 2',
      'SELECT n FROM keys WHERE n = 1 AND id = ? AND expires > 2',
    ],
    'SELECT n FROM keys WHERE n BETWEEN 1 AND 3 and id = ?': [
      'SELECT n FROM keys WHERE n BETWEEN 1 AND 3 OR id = ?',
    ],
  },
  LOF: {
    "SELECT n FROM keys WHERE id = ? AND (status = 'x' OR n IS NULL)": [
      "SELECT n FROM keys WHERE (id = ? OR 1) AND (status = 'x' OR n IS NULL)",
      "SELECT n FROM keys WHERE id = ? AND (status = 'x' OR (n IS NULL AND 0))", // that of status is ROR's
    ],
    'DELETE FROM keys WHERE n IN (1, 2)': ['DELETE FROM keys WHERE (n IN (1, 2) OR 1)'],
    'SELECT count(*) FILTER (WHERE n > 1) FROM keys HAVING count(*) > 2': [
      'SELECT count(*) FILTER (WHERE (n > 1 OR 1)) FROM keys HAVING count(*) > 2',
      'SELECT count(*) FILTER (WHERE n > 1) FROM keys HAVING (count(*) > 2 OR 1)',
    ],
  },
  LNF: {
    "SELECT n FROM keys WHERE id = ? AND (status = 'x' OR n IS NULL)": [
      "SELECT n FROM keys WHERE NOT (id = ?) AND (status = 'x' OR n IS NULL)",
      "SELECT n FROM keys WHERE id = ? AND (NOT (status = 'x') OR n IS NULL)",
      "SELECT n FROM keys WHERE id = ? AND (status = 'x' OR NOT (n IS NULL))",
    ],
    'SELECT CASE WHEN n > 1 THEN 2 END FROM keys': ['SELECT CASE WHEN NOT (n > 1) THEN 2 END FROM keys'],
  },
  BTW: {
    'SELECT id FROM keys WHERE n BETWEEN ? AND ? + 1': [
      'SELECT id FROM keys WHERE (n > ? AND n <= ? + 1)',
      'SELECT id FROM keys WHERE (n >= ? AND n < ? + 1)',
    ],
    'SELECT id FROM keys WHERE n NOT BETWEEN 1 AND 2': [
      'SELECT id FROM keys WHERE (n <= 1 OR n > 2)',
      'SELECT id FROM keys WHERE (n < 1 OR n >= 2)',
    ],
    'SELECT id FROM keys WHERE ? BETWEEN 1 AND n': [],
  },
  AOR: {
    'UPDATE keys SET n = n - ?': ['UPDATE keys SET n = n + ?'],
    'SELECT n * 2 + 1 FROM keys': ['SELECT n / 2 + 1 FROM keys', 'SELECT n * 2 - 1 FROM keys'],
  },
  IRT: {
    "UPDATE keys SET status = 'done' WHERE status = 'pending' AND n = 0": [
      "UPDATE keys SET status = 'pending' WHERE status = 'pending' AND n = 0",
      "UPDATE keys SET status = 'done' WHERE status = 'done' AND n = 0",
      "UPDATE keys SET status = 'done' WHERE status = 'pending' AND n = 1",
    ],
    "INSERT INTO keys VALUES (?, 'done', ?, NULL)": [
      "INSERT INTO keys VALUES (?, '', ?, NULL)",
      "INSERT INTO keys VALUES (?, 'done', ?, '')",
    ],
    "SELECT 1 FROM keys WHERE id = 'a' ORDER BY 1 LIMIT 5": [
      "SELECT 1 FROM keys WHERE id = '' ORDER BY 1 LIMIT 5",
    ],
    'SELECT coalesce(n, 5) FROM keys': ['SELECT coalesce(n, 6) FROM keys', 'SELECT coalesce(n, 4) FROM keys'],
  },
  IRC: {
    'INSERT INTO keys(id, status, expires) VALUES (?, ?, ?)': [
      'INSERT INTO keys(status, id, expires) VALUES (?, ?, ?)',
      'INSERT INTO keys(id, expires, status) VALUES (?, ?, ?)',
    ],
    "INSERT INTO keys VALUES (?, 'done', 3, NULL)": [
      "INSERT INTO keys VALUES ('done', ?, 3, NULL)",
      "INSERT INTO keys VALUES (?, 3, 'done', NULL)",
      "INSERT INTO keys VALUES (?, 'done', NULL, 3)",
    ],
    'SELECT id, k.n, count(*) AS c FROM keys k GROUP BY id': [
      'SELECT k.n AS id, id AS n, count(*) AS c FROM keys k GROUP BY id',
      'SELECT id, count(*) AS n, k.n AS c FROM keys k GROUP BY id',
    ],
    'SELECT count(*), max(n) FROM keys': ['SELECT max(n) AS "count(*)", count(*) AS "max(n)" FROM keys'],
  },
  IRP: {
    'SELECT n FROM keys WHERE id = :id AND status = :status': [
      'SELECT n FROM keys WHERE id = :status AND status = :id',
    ],
    'UPDATE keys SET status = ? WHERE id = ?': ['UPDATE keys SET id = ? WHERE status = ?'],
    'INSERT INTO keys(id, status, n, expires) VALUES (?, 0, ?, ?)': [
      'INSERT INTO keys(n, status, id, expires) VALUES (?, 0, ?, ?)', // n and expires: IRC's
    ],
    'SELECT n FROM keys WHERE id = :id AND n = :id': [],
    'INSERT INTO keys(id, status, n, expires) VALUES (:id, :status, 0, :expires)': [
      'INSERT INTO keys(id, status, n, expires) VALUES (:id, :expires, 0, :status)', // id and status: IRC's
    ],
  },
  AGR: {
    'SELECT COUNT(*) FROM keys': ['SELECT MAX(1) FROM keys'],
    'SELECT sum(n) FROM keys': [
      'SELECT COUNT(n) FROM keys',
      'SELECT AVG(n) FROM keys',
      'SELECT MIN(n) FROM keys',
      'SELECT MAX(n) FROM keys',
    ],
    'SELECT COUNT(DISTINCT n) FROM keys': [
      'SELECT SUM(DISTINCT n) FROM keys',
      'SELECT AVG(DISTINCT n) FROM keys',
      'SELECT MIN(DISTINCT n) FROM keys',
      'SELECT MAX(DISTINCT n) FROM keys',
      'SELECT COUNT(n) FROM keys',
    ],
    'SELECT max(n, 1) FROM keys': [],
  },
  SEL: {
    'SELECT status FROM keys': ['SELECT DISTINCT status FROM keys'],
    'SELECT DISTINCT status FROM keys': ['SELECT status FROM keys'],
    'SELECT id, status FROM keys': [],
    'SELECT status FROM keys WHERE id = ?': [],
    'SELECT status, count(*) FROM keys GROUP BY status': [],
    'SELECT count(*) FROM keys': [],
    'DELETE FROM keys WHERE id IN (SELECT status FROM keys)': [],
    'SELECT changes()': [],
  },
  ORD: {
    'SELECT id FROM keys ORDER BY n LIMIT 3': [
      'SELECT id FROM keys LIMIT 3',
      'SELECT id FROM keys ORDER BY n DESC LIMIT 3',
    ],
    'SELECT id FROM keys ORDER BY n DESC, id asc': [
      'SELECT id FROM keys',
      'SELECT id FROM keys ORDER BY id asc',
      'SELECT id FROM keys ORDER BY n ASC, id asc',
      'SELECT id FROM keys ORDER BY n DESC',
      'SELECT id FROM keys ORDER BY n DESC, id DESC',
    ],
    'SELECT row_number() OVER (ORDER BY n) FROM keys': [
      'SELECT row_number() OVER () FROM keys',
      'SELECT row_number() OVER (ORDER BY n DESC) FROM keys',
    ],
  },
  LIM: {
    'SELECT id FROM keys LIMIT ?': [
      'SELECT id FROM keys LIMIT min(?, -1)',
      'SELECT id FROM keys LIMIT ? + 1',
      'SELECT id FROM keys LIMIT ? - 1',
    ],
    'SELECT id FROM keys LIMIT 1': [
      'SELECT id FROM keys',
      'SELECT id FROM keys LIMIT 2',
      'SELECT id FROM keys LIMIT 0',
    ],
    'SELECT id FROM keys LIMIT 1 OFFSET :skip': [
      'SELECT id FROM keys LIMIT min(1, -1) OFFSET :skip',
      'SELECT id FROM keys LIMIT 2 OFFSET :skip',
      'SELECT id FROM keys LIMIT 0 OFFSET :skip',
      'SELECT id FROM keys LIMIT 1 OFFSET min(:skip, 0)',
    ],
  },
  CFL: {
    'INSERT INTO keys VALUES (1, 2, 3, 4)': [
      'INSERT OR IGNORE INTO keys VALUES (1, 2, 3, 4)',
      'INSERT OR REPLACE INTO keys VALUES (1, 2, 3, 4)',
    ],
    'insert or ignore into keys VALUES (1, 2, 3, 4)': [
      'INSERT into keys VALUES (1, 2, 3, 4)',
      'INSERT OR REPLACE into keys VALUES (1, 2, 3, 4)',
    ],
    'REPLACE INTO keys VALUES (1, 2, 3, 4)': [
      'INSERT INTO keys VALUES (1, 2, 3, 4)',
      'INSERT OR IGNORE INTO keys VALUES (1, 2, 3, 4)',
    ],
    'UPDATE OR IGNORE keys SET id = ?': ['UPDATE keys SET id = ?', 'UPDATE OR REPLACE keys SET id = ?'],
    'UPDATE keys SET n = 1': [],
    'INSERT INTO keys(id, status, expires) VALUES (1, 2, 3) ON CONFLICT(id) DO NOTHING RETURNING id': [
      'INSERT INTO keys(id, status, expires) VALUES (1, 2, 3) RETURNING id',
      'INSERT INTO keys(id, status, expires) VALUES (1, 2, 3) ON CONFLICT(id) DO UPDATE SET status = excluded.status, expires = excluded.expires RETURNING id',
    ],
    'INSERT INTO keys VALUES (1, 2, 3, 4) ON CONFLICT DO UPDATE SET n = excluded.n WHERE n > 1': [
      'INSERT INTO keys VALUES (1, 2, 3, 4)',
      'INSERT INTO keys VALUES (1, 2, 3, 4) ON CONFLICT DO NOTHING',
    ],
  },
  RET: {
    'DELETE FROM keys RETURNING id, n AS m': ['DELETE FROM keys RETURNING n AS id, id AS m'],
    'DELETE FROM keys RETURNING id': [],
  },
  INE: {
    'CREATE TABLE IF NOT EXISTS t(a)': ['CREATE TABLE t(a)'],
    'CREATE INDEX IF NOT EXISTS i ON keys(n)': ['CREATE INDEX i ON keys(n)'],
    'DROP TABLE if exists keys': ['DROP TABLE keys'],
    'CREATE TABLE t(a)': [],
  },
  NNCR: {
    'CREATE TABLE t(a TEXT NOT NULL, b INT CONSTRAINT full NOT NULL ON CONFLICT FAIL, c)': [
      'CREATE TABLE t(a TEXT, b INT CONSTRAINT full NOT NULL ON CONFLICT FAIL, c)',
      'CREATE TABLE t(a TEXT NOT NULL, b INT, c)',
    ],
  },
  NNCA: {
    'CREATE TABLE t(a TEXT PRIMARY KEY, b, c INT DEFAULT 1, d NOT NULL)': [
      'CREATE TABLE t(a TEXT PRIMARY KEY NOT NULL, b, c INT DEFAULT 1, d NOT NULL)',
      'CREATE TABLE t(a TEXT PRIMARY KEY, b NOT NULL, c INT DEFAULT 1, d NOT NULL)',
      'CREATE TABLE t(a TEXT PRIMARY KEY, b, c INT NOT NULL DEFAULT 1, d NOT NULL)',
    ],
    'CREATE TABLE t(a INTEGER PRIMARY KEY)': [],
    'CREATE TABLE t(a TEXT PRIMARY KEY) WITHOUT ROWID': [],
  },
  PKCColumnR: {
    'CREATE TABLE t(a INTEGER PRIMARY KEY AUTOINCREMENT, b)': ['CREATE TABLE t(a INTEGER, b)'],
    'CREATE TABLE t(a, b, c, PRIMARY KEY (a, b, c))': [
      'CREATE TABLE t(a, b, c)',
      'CREATE TABLE t(a, b, c, PRIMARY KEY (b, c))',
      'CREATE TABLE t(a, b, c, PRIMARY KEY (a, c))',
      'CREATE TABLE t(a, b, c, PRIMARY KEY (a, b))',
    ],
  },
  UCColumnR: {
    'CREATE TABLE t(a UNIQUE, b, CONSTRAINT pair UNIQUE (a, b))': [
      'CREATE TABLE t(a, b, CONSTRAINT pair UNIQUE (a, b))',
      'CREATE TABLE t(a UNIQUE, b)',
      'CREATE TABLE t(a UNIQUE, b, CONSTRAINT pair UNIQUE (b))',
      'CREATE TABLE t(a UNIQUE, b, CONSTRAINT pair UNIQUE (a))',
    ],
    'CREATE UNIQUE INDEX i ON keys(n)': ['CREATE INDEX i ON keys(n)'],
  },
  CCR: {
    "CREATE TABLE t(a CHECK (a IN ('x', 'y')), CHECK (a > 1))": [
      'CREATE TABLE t(a, CHECK (a > 1))',
      "CREATE TABLE t(a CHECK (a IN ('x', 'y')))",
    ],
  },
  FKCR: {
    'CREATE TABLE t(a REFERENCES keys(id), b, FOREIGN KEY (b) REFERENCES keys(id))': [
      'CREATE TABLE t(a, b, FOREIGN KEY (b) REFERENCES keys(id))',
      'CREATE TABLE t(a REFERENCES keys(id), b)',
    ],
  },
  TXN: {
    'BEGIN IMMEDIATE': ['PRAGMA no_transaction', 'BEGIN DEFERRED'],
    'BEGIN EXCLUSIVE TRANSACTION': ['PRAGMA no_transaction', 'BEGIN DEFERRED TRANSACTION'],
    BEGIN: ['PRAGMA no_transaction'],
    COMMIT: ['ROLLBACK'],
    'BEGIN; UPDATE keys SET n = 1; END;': [
      'PRAGMA no_transaction; UPDATE keys SET n = 1; PRAGMA no_transaction;',
      'BEGIN; UPDATE keys SET n = 1; ROLLBACK;',
    ],
    'SAVEPOINT a; RELEASE a': ['PRAGMA no_transaction; PRAGMA no_transaction'],
  },
};

/** A file that holds one statement, by the text around it. */
const hosts = {
  python: { file: 'service.py', before: 'SQL = """', after: '"""\n' },
  typescript: { file: 'service.ts', before: 'const sql = `', after: '`;\n' },
} as const;

describe.each(Object.entries(hosts))('in %s', (_, { file, before, after }) => {
  describe.each(Object.entries(examples))('%s', (operator, statements) => {
    test.each(Object.entries(statements))('%s', (sql, expected) => {
      const files = { [file]: before + sql + after };
      const made = sqlMutants(files, keys).filter((mutant) => mutant.operator === operator);
      const texts = made.map((mutant) => textsOf(applyChanges(files, mutant), file)[0]);
      expect(made.filter(({ stillborn }) => stillborn)).toEqual([]);
      expect(texts.toSorted()).toEqual([...expected].sort());
    });
  });
});

test('every operator has examples', () => {
  const names = sqlOperators.map(({ name }) => name);
  expect(Object.keys(examples).sort()).toEqual([...new Set(names)].sort());
});

describe('a text is taken for SQL', () => {
  test.each([
    [
      'over several literals',
      'q = ("SELECT id FROM keys" \' WHERE n = ?\')',
      ['SELECT id FROM keys WHERE n = ?'],
    ],
    ['joined by +', 'q = "SELECT id " + "FROM keys"', ['SELECT id FROM keys']],
    ['with prefixes', `q = r"SELECT id FROM keys" u' WHERE n = 1'`, ['SELECT id FROM keys WHERE n = 1']],
    [
      'with escapes',
      String.raw`q = "SELECT id\n FROM keys WHERE id = \"n\" -- \u00e9"`,
      ['SELECT id\n FROM keys WHERE id = "n" -- é'],
    ],
    [
      'with a hole that is a number',
      'q = f"SELECT id FROM keys LIMIT {limit}"',
      ['SELECT id FROM keys LIMIT 1'],
    ],
    ['with braces', `q = f"SELECT '{{}}' FROM keys LIMIT {limit!r:>2}"`, ["SELECT '{}' FROM keys LIMIT 1"]],
    ['with a hole that is a table', 'q = f"SELECT id FROM {self.table}"', ['SELECT id FROM keys']],
    [
      'with a table that a hole names',
      'a = f"CREATE TABLE {name}(x)"\nb = f"SELECT x FROM {name}"',
      ['CREATE TABLE hole_name(x)', 'SELECT x FROM hole_name'],
    ],
    [
      'with a fragment that is a constant',
      'where = " WHERE id = ?"\ndb.execute("SELECT n FROM keys" + where)',
      ['SELECT n FROM keys WHERE id = ?'],
    ],
    [
      'with one that is bound twice, without it',
      'w = "WHERE 1"\nw = ""\nq = "SELECT n FROM keys " + w',
      ['SELECT n FROM keys hole_w'],
    ],
    ['inside a hole', 'q = f"{db.execute(\'SELECT n FROM keys\')}"', ['SELECT n FROM keys']],
    ['in small letters, as it prepares', 'q = "select id from keys"', ['select id from keys']],
    ['in capitals, though its table is unknown', 'q = "DELETE FROM accounts"', ['DELETE FROM accounts']],
    [
      'if handed to the driver',
      'db.execute("delete from accounts")\ndb.execute("begin")',
      ['delete from accounts', 'begin'],
    ],
    ['with its statements one by one', 'q = "BEGIN; DELETE FROM keys;"', ['BEGIN; ', 'DELETE FROM keys;']],
  ])('in Python %s', (_, source, expected) => expect(statementsIn({ 's.py': source })).toEqual(expected));

  test.each([
    ['quoted', `const q = 'SELECT id FROM keys' + " WHERE n = 1"`, ['SELECT id FROM keys WHERE n = 1']],
    [
      'with escapes',
      String.raw`const q = 'SELECT id FROM keys WHERE id = \'\x61\u{62}\''`,
      ["SELECT id FROM keys WHERE id = 'ab'"],
    ],
    ['in a template', 'const q = `SELECT id\n FROM keys`', ['SELECT id\n FROM keys']],
    ['with a hole', 'const q = `SELECT id FROM keys LIMIT ${limit + 1}`', ['SELECT id FROM keys LIMIT 1']],
    [
      'with a constant',
      "const t: string = 'keys';\nconst q = `SELECT id FROM ${t}`",
      ['SELECT id FROM keys'],
    ],
    ['with a tag', 'sql`select id from keys where n = ${n}`', ['select id from keys where n = 1']],
    ['that is raw', 'const q = String.raw`SELECT id FROM keys`', ['SELECT id FROM keys']],
    ['with types around it', "db.prepare<A, B>('begin' as const)", ['begin']],
  ])('in TypeScript %s', (_, source, expected) => expect(statementsIn({ 's.ts': source })).toEqual(expected));

  test('in a .sql file', () => {
    expect(statementsIn({ 's.sql': 'DELETE FROM keys;\r\nBEGIN' })).toEqual(['DELETE FROM keys;\n', 'BEGIN']);
  });
});

describe('a text is not taken for SQL', () => {
  test.each([
    ['a docstring', '"""SELECT id FROM keys"""\n\ndef f():\n    "DELETE FROM keys"\n'],
    ['a comment', '# SELECT id FROM keys\n'],
    ['a sentence', 'q = "Select the file to use"\nx = "Delete from cart"\n'],
    ['a word', 'q = {"begin": 1, "end": 2}["end"]\nx = "Commit"\n'],
    ['a method', 'q = "DELETE"\nx = "REPLACE"\n'],
    ['bytes', 'q = b"SELECT id FROM keys"\n'],
    ['a fragment', 'q = " WHERE id = ?"\n'],
    ['a text that no filling makes SQL', 'q = "SELECT id FROM keys WHERE n = %s" % n\n'],
  ])('in Python: %s', (_, source) => expect(sqlMutants({ 's.py': source }, keys)).toEqual([]));

  test.each([
    ['a directive', "'BEGIN';\n"],
    ['a type', "type Word = 'BEGIN' | 'COMMIT';\nlet x: 'BEGIN';\n"],
    ['the name of a module', "import a from 'BEGIN';\nexport * from 'COMMIT';\n"],
    ['a comment', '// SELECT id FROM keys\n'],
  ])('in TypeScript: %s', (_, source) => expect(sqlMutants({ 's.ts': source }, keys)).toEqual([]));

  test('in a file of another language', () => {
    expect(sqlMutants({ 's.rb': 'q = "SELECT id FROM keys"', 's.md': 'DELETE FROM keys' }, keys)).toEqual([]);
  });
});

describe('a change', () => {
  test('stands where the SQL stands, by line and column', () => {
    const files = { 's.py': 'q = (\n    "SELECT id FROM keys"\n    " WHERE expires <= ?"\n)\n' };
    const mutant = find(sqlMutants(files, keys), 'ROR');
    expect(sourceChangesOf(files, mutant)).toEqual([
      {
        file: 's.py',
        start: { line: 3, column: 21 },
        end: { line: 3, column: 23 },
        original: '<=',
        replacement: '<',
      },
    ]);
    expect(mutant).toMatchObject({
      id: 'ror-s.py-3-1',
      why: '`<=` becomes `<` in `… keys WHERE expires <= ?`.',
    });
  });

  test('spans literals, and leaves them where they are', () => {
    const files = { 's.py': 'q = "SELECT n FROM keys ORDER " "BY n"' };
    const mutant = find(sqlMutants(files, keys), 'ORD');
    expect(applyChanges(files, mutant)['s.py']).toBe('q = "SELECT n FROM keys" ""');
  });

  test('is written as its literal demands', () => {
    const files = { 's.py': 'q = f"SELECT count(*), max(n) FROM keys LIMIT {limit}"' };
    const mutant = find(sqlMutants(files, keys), 'IRC');
    expect(applyChanges(files, mutant)['s.py']).toBe(
      String.raw`q = f"SELECT max(n) AS \"count(*)\", count(*) AS \"max(n)\" FROM keys LIMIT {limit}"`,
    );
  });

  test('leaves a hole alone, and wraps what holds one', () => {
    const files = { 's.ts': 'const q = `DELETE FROM keys WHERE id IN (${marks})`' };
    const sources = sqlMutants(files, keys).map((mutant) => applyChanges(files, mutant)['s.ts']);
    expect(sources).toEqual([
      'const q = `DELETE FROM keys WHERE (id IN (${marks}) OR 1)`',
      'const q = `DELETE FROM keys WHERE NOT (id IN (${marks}))`',
    ]);
  });

  test('of a fragment is one, however many statements have it', () => {
    const files = { 's.py': 'w = " WHERE n < ?"\nq = "SELECT id FROM keys" + w\nx = "DELETE FROM keys" + w' };
    const sources = sqlMutants(files, keys).filter(({ operator }) => operator === 'LOF');
    expect(sources.map((mutant) => applyChanges(files, mutant)['s.py']?.split('\n')[0])).toEqual([
      'w = " WHERE (n < ? OR 1)"',
    ]);
  });
});

describe('transactions', () => {
  const source = `
def a(db):
    db.execute("BEGIN IMMEDIATE")
    db.execute("COMMIT")

class Transaction:
    def __enter__(self):
        self.db.execute("BEGIN")
    def __exit__(self, kind, *rest):
        self.db.execute("ROLLBACK" if kind else "COMMIT")
`;

  test('are dropped with the end that is theirs', () => {
    const files = { 's.py': source };
    const dropped = sqlMutants(files).filter(({ changes }) =>
      changes.some(({ replacement }) => /PRAGMA/.test(replacement)),
    );
    const lines = dropped.map((mutant) => sourceChangesOf(files, mutant).map(({ start }) => start.line));
    expect(lines).toEqual([
      [3, 4],
      [8, 10, 10],
    ]);
  });

  test('of better-sqlite3 are deferred, or none', () => {
    const files = { 's.ts': 'const f = db.transaction(() => 1);\nf.immediate();\n' };
    const sources = sqlMutants(files).map((mutant) => applyChanges(files, mutant)['s.ts']);
    expect(sources).toHaveLength(2);
    expect(sources[1]).toBe('const f = db.transaction(() => 1);\nf.deferred();\n');
    const withoutTransaction = new Function(`const db = {}; ${sources[0]} return f.immediate();`);
    expect(withoutTransaction()).toBe(1);
  });

  test('of Python are deferred, or none', () => {
    const files = { 's.py': 'db = connect(p, isolation_level="IMMEDIATE")\n' };
    expect(sqlMutants(files).map((mutant) => applyChanges(files, mutant)['s.py'])).toEqual([
      'db = connect(p, isolation_level="DEFERRED")\n',
      'db = connect(p, isolation_level=None)\n',
    ]);
  });
});

describe('stillborn', () => {
  test('is what SQLite does not prepare', () => {
    const files = { 's.sql': 'CREATE TABLE t(a TEXT PRIMARY KEY) WITHOUT ROWID' };
    expect(stillbornIn(files)).toEqual(['PRIMARY KEY missing on table t']);
  });

  test('is a schema in which another statement cannot be prepared', () => {
    const files = {
      'a.py': 'q = "CREATE TABLE IF NOT EXISTS t(a TEXT PRIMARY KEY)"',
      'b.py': 'q = "INSERT INTO t VALUES (?) ON CONFLICT(a) DO NOTHING"',
    };
    expect(stillbornIn(files)).toEqual([
      'ON CONFLICT clause does not match any PRIMARY KEY or UNIQUE constraint',
    ]);
  });

  test('is what the driver refuses, as it has another number of parameters', () => {
    const files = {
      's.py': 'q = "INSERT INTO keys VALUES (1, 2, 3, 4) ON CONFLICT(id) DO UPDATE SET n = ?"',
    };
    expect(stillbornIn(files)).toEqual([
      'the driver refuses it: 1 parameters are bound, it has 0',
      'the driver refuses it: 1 parameters are bound, it has 0',
    ]);
  });
});

describe('none', () => {
  test('is the same program as before: what is true anyway, left out', () => {
    const files = { 's.sql': 'SELECT n FROM keys WHERE 1' };
    expect(sqlMutants(files, keys).filter(({ operator }) => operator === 'LOF')).toEqual([]);
  });

  test('is the same program as another: a condition of several that is never true', () => {
    const files = { 's.sql': 'SELECT n FROM keys WHERE id = ? AND status = ?' };
    const never = sqlMutants(files, keys).filter(({ why }) => why.includes('never true'));
    expect(never).toHaveLength(1);
  });
});

const languages = ['.py', '.ts'] as const;
const references = ['idem-retention-lab', 'idem-transfer-lab'].flatMap((lab) =>
  languages.map((extension) => ({ name: `${lab}, ${extension}`, files: referenceFiles(lab, extension) })),
);

describe.each(references)('of $name', ({ files }) => {
  const mutants = sqlMutants(files);

  test('every mutant is stillborn, or compiles', () => {
    const alive = mutants.filter(({ stillborn }) => stillborn === undefined);
    const sources = alive.flatMap((mutant) => changedOf(files, mutant));
    expect(alive.length).toBeGreaterThan(60);
    for (const { file, source } of sources) if (file.endsWith('.ts')) transformSync(source, { loader: 'ts' });
    compilePython(sources.filter(({ file }) => file.endsWith('.py')).map(({ source }) => source));
  });

  test('each has a name of its own, and a source of its own', () => {
    const ids = mutants.map(({ id }) => id);
    const sources = mutants.map((mutant) => JSON.stringify(applyChanges(files, mutant)));
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set([JSON.stringify(files), ...sources]).size).toBe(sources.length + 1);
    expect(sqlMutants(files)).toEqual(mutants);
  });

  test('each leaves every other text as it was', () => {
    const texts = new Map(Object.keys(files).map((file) => [file, textsOf(files, file)]));
    for (const mutant of mutants) {
      for (const { file, source } of changedOf(files, mutant)) {
        const [before, after] = [texts.get(file) ?? [], textsOf({ [file]: source }, file)];
        const touched = before.filter((text, index) => text !== after[index]).length;
        expect(after.length).toBe(before.length);
        expect(touched).toBeLessThanOrEqual(mutant.changes.length);
      }
    }
  });
});

/** A way to write a text in a source that binds it to `q`; undefined where it cannot be written so. */
interface Notation {
  readonly file: 's.py' | 's.js';
  readonly write: (text: string) => string | undefined;
}

const inQuotes = (text: string) => JSON.stringify(text);
const inApostrophes = (text: string) =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

const notations: Readonly<Record<string, Notation>> = {
  'Python, "': { file: 's.py', write: inQuotes },
  "Python, '": { file: 's.py', write: inApostrophes },
  'Python, """': {
    file: 's.py',
    write: (text) => `"""${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\r', '\\r')}"""`,
  },
  'Python, r"': { file: 's.py', write: (text) => (/[\\"\r\n]/.test(text) ? undefined : `r"${text}"`) },
  'Python, f"': {
    file: 's.py',
    write: (text) => `f${inQuotes(text.replaceAll('{', '{{').replaceAll('}', '}}'))}`,
  },
  'JavaScript, "': { file: 's.js', write: inQuotes },
  "JavaScript, '": { file: 's.js', write: inApostrophes },
  'JavaScript, `': {
    file: 's.js',
    write: (text) => `\`${text.replace(/[\\`$]/g, '\\$&').replaceAll('\r', '\\r')}\``,
  },
};

function sourceOf({ file }: Notation, literals: readonly string[]): string {
  return file === 's.py' ? `q = (${literals.join(' ')})\n` : `const q = ${literals.join(' + ')};\n`;
}

describe('an edit in any place of any text', () => {
  const awkward = fc.string({
    unit: fc.constantFrom('a', 'x', ' ', "'", '"', '\\', '`', '$', '{', '}', '\n', '\r', 'é', '😀', '1'),
  });
  const cases = fc.record({
    pieces: fc.array(awkward, { minLength: 1, maxLength: 3 }),
    notation: fc.constantFrom(...Object.values(notations)),
    inserted: awkward,
    range: fc.tuple(fc.nat(20), fc.nat(20)),
  });

  test('is what the source then says, to the character, and changes nothing around it', () => {
    const pythonSays: [source: string, expected: string][] = [];
    fc.assert(
      fc.property(cases, ({ pieces, notation, inserted, range }) => {
        const written = pieces.map(notation.write);
        fc.pre(written.every((piece) => piece !== undefined));
        const { file } = notation;
        const source = sourceOf(notation, written);
        const [text] = hostTexts(file, source);
        if (!text) throw new Error(`no text in ${source}`);
        const filled = fill(file, text.pieces, () => '');
        expect(filled.sql).toBe(pieces.join(''));
        const [from, to] = range
          .map((at) => wholeCharacter(filled.sql, at % (filled.sql.length + 1)))
          .sort((a, b) => a - b);
        const edits = [{ from: from ?? 0, to: to ?? 0, text: inserted }];
        const changes = sourceChanges(filled, edits);
        fc.pre(changes !== undefined);
        const changed = applyChanges({ [file]: source }, { changes })[file] ?? '';
        const expected = edited(filled.sql, edits);
        expect(textsOf({ [file]: changed }, file)).toEqual([expected]);
        if (file.endsWith('.py')) pythonSays.push([changed, expected]);
        else expect(new Function(`${changed}; return q;`)()).toBe(expected);
      }),
      { numRuns: 1000 },
    );
    expect(pythonValues(pythonSays.map(([source]) => source))).toEqual(
      pythonSays.map(([, expected]) => expected),
    );
  });
});

function find(mutants: readonly SqlMutant[], operator: string): SqlMutant {
  const found = mutants.find((mutant) => mutant.operator === operator);
  if (!found) throw new Error(`no mutant by ${operator}`);
  return found;
}

function statementsIn(files: Files): readonly string[] {
  return readSubmission(files, keys).statements.map(({ sql }) => sql);
}

function stillbornIn(files: Files): readonly string[] {
  return sqlMutants(files, keys).flatMap(({ stillborn }) => stillborn ?? []);
}

/** What the texts of a file say; a hole says its expression. */
function textsOf(files: Files, file: string): readonly string[] {
  return hostTexts(file, files[file] ?? '').map(
    ({ pieces }) => fill(file, pieces, (hole) => `{${hole}}`).sql,
  );
}

/** The changed files of a mutant. */
function changedOf(
  files: Files,
  mutant: SqlMutant,
): readonly { readonly file: string; readonly source: string }[] {
  const changed = applyChanges(files, mutant);
  return [...new Set(mutant.changes.map(({ file }) => file))].map((file) => ({
    file,
    source: changed[file] ?? '',
  }));
}

function referenceFiles(lab: string, extension: string): Files {
  const folder = projectFile(path.join('reference', lab));
  const names = readdirSync(folder).filter((name) => name.endsWith(extension));
  return Object.fromEntries(names.map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]));
}

/** Throws with Python's message where one does not compile. */
function compilePython(sources: readonly string[]): void {
  python('for source in json.load(sys.stdin): compile(source, "service.py", "exec")', sources);
}

/** What `q` is after each source. */
function pythonValues(sources: readonly string[]): unknown {
  const script = `
def value(source):
    names = {}
    exec(source, names)
    return names["q"]
print(json.dumps([value(source) for source in json.load(sys.stdin)]))`;
  return JSON.parse(python(script, sources));
}

function python(script: string, input: readonly string[]): string {
  const options = { input: JSON.stringify(input), encoding: 'utf8' } as const;
  return execFileSync(python3, ['-c', `import json, sys\n${script}`], options);
}

/** The offset, or the one before it, lest half a character be replaced. */
function wholeCharacter(text: string, at: number): number {
  return /[\udc00-\udfff]/.test(text.charAt(at)) ? at - 1 : at;
}
