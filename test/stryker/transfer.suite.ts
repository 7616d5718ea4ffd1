import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { projectFile } from '../../harness/project.ts';
import { labById } from '../../harness/registry.ts';
import { openScratch } from '../../harness/scratch.ts';
import { type Main, moduleScriptsSubject } from '../../harness/subject/module.ts';
import { testClauses } from './clauses.ts';

/* The scripts of the reference, each loaded as Node would start it, in a copy of the folder. */

const lab = labById('idem-transfer-lab');
if (!lab) throw new Error('no such lab');

const reference = projectFile('reference/idem-transfer-lab');
const scratch = openScratch();
/** The same one for every mutant that this process runs: what has been compiled is known by its path. */
const copy = path.join(path.dirname(scratch.folder), `labcheck-stryker-${process.pid}`);

beforeAll(() => {
  mkdirSync(copy, { recursive: true });
  const scripts = ['gen-requests.ts', 'count-duplicates.ts', 'replay-day.ts', 'idem-api.ts'];
  for (const name of [...scripts, 'policy.json']) cpSync(path.join(reference, name), path.join(copy, name));
});
afterAll(() => {
  rmSync(copy, { recursive: true, force: true });
  scratch.remove();
});

/*
 * Keys grow old by a clock that is set: the clauses of retention wait for nothing. Late in a second, a fraction that is
 * taken the wrong way round shows.
 */
const late = Date.parse('2026-01-01T12:00:00.800Z');
vi.mock('node:timers/promises', () => ({
  setTimeout: async (milliseconds: number) => {
    vi.setSystemTime(Date.now() + milliseconds);
  },
}));
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: late });
});
afterEach(() => {
  vi.useRealTimers();
});

testClauses('idem-api.ts', lab, {
  steps: [3, 4, 5, 6, 7],
  open: async () => moduleScriptsSubject({ idem_api: script('idem-api.ts') }, copy),
});

testClauses('gen-requests.ts', lab, {
  steps: [1],
  open: async () => {
    await make('gen-requests.ts', 'idem.db');
    return moduleScriptsSubject({}, copy);
  },
});

testClauses('count-duplicates.ts', lab, {
  steps: [2],
  open: async () => {
    await makeOfTheDay('count-duplicates.ts', 'dup_report.json');
    return moduleScriptsSubject({}, copy);
  },
});

testClauses('replay-day.ts', lab, {
  steps: [8],
  open: async () => {
    await makeOfTheDay('replay-day.ts', 'day.db', 'result.json', 'idem_report.md');
    return moduleScriptsSubject({}, copy);
  },
});

/* The contract leaves open what happens on the day; the reference says that it is the same one every time. */

test('gen-requests.ts makes idem.db row for row', async () => {
  await make('gen-requests.ts', 'idem.db');
  expect(rowsOf(copy)).toEqual(rowsOf(reference));
});

test('count-duplicates.ts makes dup_report.json', async () => {
  await makeOfTheDay('count-duplicates.ts', 'dup_report.json');
  expectSameText('dup_report.json');
});

test('replay-day.ts makes result.json and idem_report.md', async () => {
  await makeOfTheDay('replay-day.ts', 'day.db', 'result.json', 'idem_report.md');
  expectSameText('result.json');
  expectSameText('idem_report.md');
});

function rowsOf(folder: string): unknown[] {
  const db = new Database(path.join(folder, 'idem.db'));
  const rows = ['account', 'req_log', 'transfer_v1'].map((table) =>
    db.prepare(`SELECT * FROM ${table}`).all(),
  );
  db.close();
  return rows;
}

function expectSameText(name: string): void {
  expect(readFileSync(path.join(copy, name), 'utf8')).toBe(readFileSync(path.join(reference, name), 'utf8'));
}

async function makeOfTheDay(name: string, ...products: string[]): Promise<void> {
  cpSync(path.join(reference, 'idem.db'), path.join(copy, 'idem.db'));
  await make(name, ...products);
}

/** Runs a script where what it makes is not there yet. */
async function make(name: string, ...products: string[]): Promise<void> {
  for (const product of products) rmSync(path.join(copy, product), { force: true });
  const { exitCode, stderr } = await script(name)([]);
  if (exitCode !== 0) throw new Error(`${name} ends with ${exitCode}: ${stderr}`);
}

/** The script as Node runs it: by its name on the command line. */
function script(name: string): Main {
  return async (args) => {
    vi.resetModules();
    const { argv } = process;
    const written = { stdout: '', stderr: '' };
    const spies = (['stdout', 'stderr'] as const).map((stream) =>
      vi.spyOn(process[stream], 'write').mockImplementation((text) => {
        written[stream] += text;
        return true;
      }),
    );
    process.argv = [process.execPath, path.join(copy, name), ...args];
    process.exitCode = undefined;
    try {
      await import(path.join(copy, name));
      return { exitCode: Number(process.exitCode ?? 0), ...written };
    } catch (error) {
      return { exitCode: 1, stdout: written.stdout, stderr: String(error) }; // as Node ends a script that throws
    } finally {
      process.argv = argv;
      process.exitCode = undefined;
      for (const spy of spies) spy.mockRestore();
    }
  };
}
