import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { seen, Thrown } from '../harness/expectation.ts';
import { Inconclusive, type Outcome, SubjectFailure } from '../harness/subject/subject.ts';
import { ample, type Case, Workshop } from './submissions.ts';

const workshop = new Workshop();
afterEach(() => workshop.close());
afterAll(() => workshop.remove());

const runs = 20;

let databases = 0;

/** A table with the one row `old`. */
function newDatabase(mode: 'delete' | 'wal' = 'delete'): Database.Database {
  databases += 1;
  const database = new Database(path.join(workshop.folder, `held-${databases}.db`), { timeout: 0 });
  database.pragma(`journal_mode = ${mode}`);
  return database.exec("CREATE TABLE keys(id TEXT); INSERT INTO keys VALUES ('old')");
}

/** The call, while the grader has the lock and adds the row `new`. */
async function callAcross(
  subject: Case,
  name: string,
  { name: database }: Database.Database,
): Promise<Outcome> {
  const held = { database, statements: [{ sql: 'INSERT INTO keys VALUES (?)', parameters: ['new'] }] };
  const call = { process: 0, name, args: [database] };
  const [outcome] = await subject.session.callWhileHeld([call], held, 0, ample);
  if (!outcome) throw new TypeError('no outcome');
  return outcome;
}

function idsIn(database: Database.Database): unknown[] {
  return database.prepare('SELECT id FROM keys ORDER BY id').pluck().all();
}

const python = `
import os, sqlite3, time
SELECT, DELETE = 'SELECT id FROM keys ORDER BY id', 'DELETE FROM keys'

def looks_first(path):
    with sqlite3.connect(path) as db:
        ids = [id for id, in db.execute(SELECT)]
        db.execute(DELETE)
        return ids

def locks_first(path):
    db = sqlite3.connect(path, isolation_level=None)
    db.execute('BEGIN IMMEDIATE')
    ids = [id for id, in db.execute(SELECT)]
    db.execute(DELETE)
    db.execute('COMMIT')
    return ids

def tries_again(path):
    while True:
        try:
            db = sqlite3.connect(path, timeout=0, isolation_level=None)
            ids = [id for id, in db.execute(SELECT)]
            db.execute(DELETE)
            return ids
        except sqlite3.OperationalError:
            time.sleep(0.002)

def gives_up(path):
    with sqlite3.connect(path, timeout=0) as db:
        db.execute(DELETE)

def gives_up_in_its_own_words(path):
    try:
        gives_up(path)
    except sqlite3.OperationalError as error:
        raise RuntimeError('busy') from error

def fails_otherwise(path):
    sqlite3.connect(path).execute('DELETE FROM nothing')

def reads_in_a_transaction(path):
    db = sqlite3.connect(path, isolation_level=None)
    db.execute('BEGIN')
    ids = [id for id, in db.execute(SELECT)]
    db.execute(DELETE)
    db.execute('COMMIT')
    return ids

def reads_on_while_it_tries_again(path):
    db = sqlite3.connect(path, isolation_level=None)
    db.execute('BEGIN')
    ids = [id for id, in db.execute(SELECT)]
    while db.in_transaction:
        try:
            db.execute(DELETE)
            db.execute('COMMIT')
        except sqlite3.OperationalError:
            time.sleep(0.002)
    return ids

def only_reads(path):
    return [id for id, in sqlite3.connect(path).execute(SELECT)]

def dies(path):
    os._exit(1)

def pid(): return os.getpid()
`;

const typeScript = `
import Database from 'better-sqlite3';

export function looksFirst(path: string): unknown[] {
  const db = new Database(path);
  const ids = db.prepare('SELECT id FROM keys ORDER BY id').pluck().all();
  db.exec('DELETE FROM keys');
  return ids;
}

export function locksFirst(path: string): unknown[] {
  const db = new Database(path);
  return db.transaction(() => looksIn(db)).immediate();
}

function looksIn(db: Database.Database): unknown[] {
  const ids = db.prepare('SELECT id FROM keys ORDER BY id').pluck().all();
  db.exec('DELETE FROM keys');
  return ids;
}

export const givesUp = (path: string) => { new Database(path, { timeout: 0 }).exec('DELETE FROM keys'); };
`;

describe.each([
  ['python', () => workshop.python(python)],
  ['javascript', () => workshop.open(workshop.write({ 'service.ts': typeScript }))],
] as const)('a call of a %s submission across a change', (language, open) => {
  test.each(['delete', 'wal'] as const)(
    'that looks first acts on what is no longer so, in mode %s',
    async (mode) => {
      const subject = open();
      for (let run = 0; run < runs; run++) {
        const database = newDatabase(mode);
        subject.begin(run % 4 === 0);
        expect(await callAcross(subject, 'looks_first', database)).toStrictEqual({
          status: 'returned',
          value: ['old'],
        });
        expect(idsIn(database)).toStrictEqual([]);
        database.close();
      }
    },
  );

  test('that takes the lock first sees the change', async () => {
    const subject = open();
    for (let run = 0; run < runs; run++) {
      const database = newDatabase();
      subject.begin(run % 4 === 0);
      const outcome = await callAcross(subject, 'locks_first', database);
      expect(outcome).toStrictEqual({ status: 'returned', value: ['new', 'old'] });
      expect(idsIn(database)).toStrictEqual([]);
      database.close();
    }
  });

  test('that does not wait for the lock has given up, and says so', async () => {
    const subject = open();
    const database = newDatabase();
    const names = language === 'python' ? ['gives_up', 'gives_up_in_its_own_words'] : ['gives_up'];
    for (const name of names) {
      const thrown = seen(await callAcross(subject, name, database)) as Thrown;
      expect(thrown).toBeInstanceOf(Thrown);
      expect(thrown.gaveUp).toBe(true);
      expect(thrown.fromDriver).toBe(name === 'gives_up');
    }
    expect(idsIn(database)).toStrictEqual(['new', 'new', 'old'].slice(2 - names.length));
  });
});

describe('a call across a change', () => {
  test('that polls by itself, with no busy handler, is waited for, too', async () => {
    const subject = workshop.python(python);
    for (let run = 0; run < runs; run++) {
      const database = newDatabase();
      const outcome = await callAcross(subject, 'tries_again', database);
      expect(outcome).toStrictEqual({ status: 'returned', value: ['new', 'old'] });
      database.close();
    }
  });

  test('that fails for another reason has not given up', async () => {
    const thrown = seen(
      await callAcross(workshop.python(python), 'fails_otherwise', newDatabase()),
    ) as Thrown;
    expect([thrown.fromDriver, thrown.gaveUp]).toStrictEqual([true, false]);
  });

  test('that never stops reading keeps the commit from happening: nothing is proved', async () => {
    const subject = workshop.python(python);
    const database = newDatabase();
    const before = await subject.value('pid');
    await expect(callAcross(subject, 'reads_on_while_it_tries_again', database)).rejects.toThrow(
      Inconclusive,
    );
    expect(idsIn(database)).toStrictEqual([]);
    expect(await subject.begin().value('pid')).toBe(before);
  });

  test.each(['delete', 'wal'] as const)(
    'that reads before it locks gives up at once, in mode %s',
    async (mode) => {
      const outcome = await callAcross(workshop.python(python), 'reads_in_a_transaction', newDatabase(mode));
      expect((seen(outcome) as Thrown).gaveUp).toBe(true);
    },
  );

  test('that needs no lock ends before the change', async () => {
    const database = newDatabase();
    const outcome = await callAcross(workshop.python(python), 'only_reads', database);
    expect(outcome).toStrictEqual({ status: 'returned', value: ['old'] });
    expect(idsIn(database)).toStrictEqual(['new', 'old']);
  });

  test('where somebody else has the lock proves nothing', async () => {
    const database = newDatabase().exec('BEGIN IMMEDIATE');
    await expect(callAcross(workshop.python(python), 'only_reads', database)).rejects.toThrow(Inconclusive);
  });

  test('that kills its process is a crash, and frees the lock', async () => {
    const subject = workshop.python(python);
    const database = newDatabase();
    await expect(callAcross(subject, 'dies', database)).rejects.toThrow(SubjectFailure);
    database.exec("INSERT INTO keys VALUES ('free')");
    expect(await subject.begin().value('only_reads', [database.name])).toContain('free');
  });

  test('is known to wait although the submission hides its process', async () => {
    const subject = workshop.python(`${python}\nos.getpid = lambda: 1\n`);
    for (let run = 0; run < runs; run++) {
      const outcome = await callAcross(subject.begin(), 'looks_first', newDatabase());
      expect(outcome).toStrictEqual({ status: 'returned', value: ['old'] });
    }
  });
});
