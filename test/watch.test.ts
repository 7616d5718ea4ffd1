import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { projectFile } from '../harness/project.ts';
import { labById } from '../harness/registry.ts';
import { changedFunctions } from '../harness/watch/functions.ts';
import { groupsOf, touchOf } from '../harness/watch/order.ts';
import { isIgnored, snapshotOf } from '../harness/watch/snapshot.ts';
import { run, start } from './labcheck.ts';
import { processesWith, python3, Workshop } from './submissions.ts';

/* Learners at work: what they save, and what they are told. */

const lab = 'idem-retention-lab';
const reference = readFileSync(projectFile(`reference/${lab}/service.py`), 'utf8');
const wrong = reference.replace('expires > ?', 'expires >= ?');
const workshop = new Workshop();
afterAll(() => workshop.remove());

/** Milliseconds that a verdict may take on a machine with much other work. */
const patience = 30_000;

/** `labcheck watch` under way, in English and without a terminal. */
class Watched {
  readonly folder: string;
  readonly #running: ReturnType<typeof start>;
  #told = '';

  constructor(folder: string, options: readonly string[] = [], env: Record<string, string> = {}, of = lab) {
    this.folder = folder;
    this.#running = start(['watch', of, '--submission', folder, ...options], { LC_ALL: 'C', ...env });
    this.#running.child.stdout?.on('data', (data) => {
      this.#told += data;
    });
  }

  /** What is told until the end of a round, or another pattern; it is not told again. Rejects where it does not come. */
  async until(pattern = / Waiting for a save\.\n/): Promise<string> {
    await vi.waitFor(() => expect(this.#told).toMatch(pattern), { timeout: patience, interval: 5 });
    const end = this.#told.search(pattern) + (pattern.exec(this.#told)?.[0].length ?? 0);
    const told = this.#told.slice(0, end);
    this.#told = this.#told.slice(end);
    return told;
  }

  get untold(): string {
    return this.#told;
  }

  save(text: string, name = 'service.py'): void {
    writeFileSync(path.join(this.folder, name), text);
  }

  /** As editors do that keep the old file until the new one is whole. */
  saveByRename(text: string): void {
    const half = path.join(this.folder, '.service.py.swp');
    writeFileSync(half, text);
    renameSync(half, path.join(this.folder, 'service.py'));
  }

  /** Ends it as Ctrl-C does, and proves that nothing is left. */
  async end(): Promise<void> {
    const { child, ended } = this.#running;
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    expect([code, stderr]).toStrictEqual([0, '']);
    const left = ['/dev/shm', tmpdir()].flatMap((place) => readdirSync(place));
    expect(left.filter((name) => name.startsWith(`labcheck-${child.pid}-`))).toStrictEqual([]);
    await vi.waitFor(() => expect(hostsOf(this.folder)).toStrictEqual([]), { timeout: patience });
  }
}

/** Processes whose command lines name the folder. */
function hostsOf(folder: string): number[] {
  return processesWith('cmdline', (line) => line.includes(folder));
}

/** Numbers of steps in the order of their verdicts, negative where they failed. */
function verdicts(told: string): number[] {
  return [...told.matchAll(/^([✓✗]) (\d) \w+: /gm)].map(
    ([, mark, step]) => (mark === '✗' ? -1 : 1) * Number(step),
  );
}

const allSteps = [1, 2, 3, 4, 5, 6, 7, 8];

describe.concurrent('watch', () => {
  test('judges at once, then after each save: first what failed, or what the save touched', async () => {
    const watched = new Watched(workshop.write({ 'service.py': reference }));
    expect(verdicts(await watched.until()).sort()).toStrictEqual(allSteps);

    let saved = performance.now();
    watched.save(wrong);
    expect(verdicts(await watched.until(/✗ 4 fetch.*\n/))).toStrictEqual([-4]); // none before it
    const untilFailed = performance.now() - saved;
    const rest = await watched.until();
    expect(verdicts(rest).map(Math.abs).sort()).toStrictEqual([1, 2, 3, 5, 6, 7, 8]);
    expect(rest).toMatch(/^✗ 4\.\d .*\n[\s\S]*fetch\(path, /m);

    saved = performance.now();
    watched.saveByRename(reference);
    expect(verdicts(await watched.until(/✓ 4 fetch.*\n/))).toStrictEqual([4]);
    const untilPassed = performance.now() - saved;
    expect(verdicts(await watched.until())).toHaveLength(7);
    console.log(
      `first verdict: failed ${untilFailed.toFixed(0)} ms, passed ${untilPassed.toFixed(0)} ms after the save`,
    );
    expect(untilFailed).toBeLessThan(patience);
    await watched.end();
  });

  test('tells what cannot be loaded, or is gone, and waits for the next save', async () => {
    const watched = new Watched(workshop.write({ 'service.py': `${reference}\ndef broken(:\n` }));
    expect(await watched.until()).toMatch(/\(load\)\n[\s\S]*service\.py:\d+: SyntaxError/);
    watched.save(reference);
    expect(verdicts(await watched.until()).sort()).toStrictEqual(allSteps);
    unlinkSync(path.join(watched.folder, 'service.py'));
    expect(await watched.until()).toMatch(/\(missing\)/);
    watched.save('');
    expect(await watched.until(/✗ 1 .*\n/)).toMatch(/changed: service\.py/);
    await watched.end();
  });

  test('a save ends the round under way and begins another', async () => {
    const slow = 'import time\n'.concat(reference.replaceAll('    with ', '    time.sleep(0.03)\n    with '));
    const watched = new Watched(workshop.write({ 'service.py': slow }));
    await watched.until(/judging.*\n/);
    await vi.waitFor(() => expect(hostsOf(watched.folder).length).toBeGreaterThan(2), { timeout: patience });
    watched.save(reference);
    const told = await watched.until();
    expect(told).toMatch(/changed: service\.py/);
    expect(verdicts(told.slice(told.indexOf('changed'))).sort()).toStrictEqual(allSteps);
    expect(told.match(/Waiting/g)).toHaveLength(1); // the first round came to no end
    await watched.end();
  });

  test('can be ended in the middle of a round', async () => {
    const slow = 'import time\n'.concat(reference.replaceAll('    with ', '    time.sleep(0.03)\n    with '));
    const watched = new Watched(workshop.write({ 'service.py': slow }));
    const { folder } = watched;
    await vi.waitFor(() => expect(hostsOf(folder).length).toBeGreaterThan(2), { timeout: patience });
    await watched.end();
  });

  test('what is no change of the submission begins no round', async () => {
    const watched = new Watched(workshop.write({ 'service.py': reference, 'store/helper.py': 'a = 1' }), [
      '--step',
      '1',
    ]);
    await watched.until();
    watched.save(reference);
    for (const name of [
      'x.db',
      'x.db-journal',
      'x.db-wal',
      '.git',
      '.service.py.swp',
      'service.py~',
      '4913',
      'x.log',
    ])
      watched.save('other', name);
    mkdirSync(path.join(watched.folder, '__pycache__'));
    watched.save('other', '__pycache__/service.cpython-311.pyc');
    watched.save('a = 2', 'store/helper.py');
    expect((await watched.until()).match(/changed: .*/g)).toStrictEqual(['changed: store/helper.py']);
    await watched.end();
  });

  test('what a submission writes beside itself begins no round, even without a sandbox', async () => {
    const programs = workshop.write({});
    symlinkSync(python3, path.join(programs, 'python3'));
    const writes = `\nimport os, time\ntry:\n    open(__file__ + '.calls', 'a').write(str(time.time()))\nexcept OSError:\n    pass\n`;
    const folder = workshop.write({ 'service.py': reference + writes });
    const watched = new Watched(folder, ['--step', '1'], { PATH: programs });
    expect((await watched.until()).match(/no sandbox/g)).toHaveLength(1);
    watched.save(wrong + writes);
    const told = await watched.until();
    expect(told.match(/changed: service\.py .*/g)).toHaveLength(1);
    expect(told).not.toMatch(/\.calls/);
    expect(watched.untold).toBe('');
    await watched.end();
  });

  test('TypeScript, too, has what was touched first', async () => {
    const source = readFileSync(projectFile(`reference/${lab}/service.ts`), 'utf8');
    const watched = new Watched(workshop.write({ 'service.ts': source }), ['--step', '1,4,7']);
    expect(verdicts(await watched.until()).sort()).toStrictEqual([1, 4, 7]);
    watched.save(source.replace('expires > ?', 'expires >= ?'), 'service.ts');
    expect(verdicts(await watched.until())[0]).toBe(-4);
    await watched.end();
  });

  test('the files of the transfer lab are watched, its databases, too', async () => {
    const from = projectFile('reference/idem-transfer-lab');
    const report = readFileSync(path.join(from, 'dup_report.json'), 'utf8');
    const folder = workshop.write({ 'dup_report.json': report });
    const database = readFileSync(path.join(from, 'idem.db'));
    writeFileSync(path.join(folder, 'idem.db'), database);
    const watched = new Watched(folder, ['--step', '1,2'], {}, 'idem-transfer-lab');
    expect(await watched.until()).toMatch(/All 2 steps passed/);
    watched.save('{}', 'dup_report.json');
    expect(await watched.until()).toMatch(/changed: dup_report\.json\n[\s\S]*^✗ 2 /m);
    watched.save('no database', 'idem.db');
    const told = await watched.until();
    expect(told).toMatch(/changed: idem\.db\n/);
    expect(told).toMatch(/^✗ 1 /m);
    await watched.end();
  });

  test('speaks the language of the reader', async () => {
    const folder = workshop.write({ 'service.py': reference });
    const said = await Promise.all(
      ['en', 'ja', 'ko', 'zh'].map(async (tongue) => {
        const watched = new Watched(folder, ['--step', '1', '--lang', tongue]);
        const told = await watched.until(/^✓ 1 .*\n/m);
        expect(told).toContain(folder);
        await watched.end();
        return told.split('\n')[0];
      }),
    );
    expect(new Set(said).size).toBe(4);
  });

  test.each([
    ['a folder that is not there', ['--submission', '/no/such/folder'], /--submission \/no\/such\/folder/],
    ['a step that the lab has not', ['--step', '9'], /--step 9/],
    ['an unknown language', ['--lang', 'xx'], /--lang/],
  ])('%s is wrong use', async (_, options, message) => {
    const { code, stderr } = await run(['watch', lab, ...options]);
    expect([code, stderr.trimEnd().split('\n')]).toStrictEqual([2, [expect.stringMatching(message)]]);
  });
});

describe('what a save touched', () => {
  const retention = labById(lab);
  const transfer = labById('idem-transfer-lab');
  if (!retention || !transfer) throw new Error('no such lab');
  const of = (text: string, name = 'service.py') => new Map([[name, text]]);

  test('are the functions whose text is another', () => {
    const before = '@once\ndef f():\n  return 1\n\nasync def g(): pass\nX = 1\n';
    const changed = (after: string) => changedFunctions('service.py', before, after);
    expect(changed(before)).toStrictEqual([]);
    expect(changed(before.replace('return 1', 'return 2'))).toStrictEqual(['f']);
    expect(changed(before.replace('@once', '@twice'))).toStrictEqual(['f']);
    expect(changed(`${before}def h(): pass\n`)).toStrictEqual(['h']);
    expect(changed(before.replace('X = 1', 'X = 2'))).toBeUndefined();
    const source =
      'export async function a(): Promise<void> {}\nfunction b<T>(x: T) { return x; }\nconst c = 1;\n';
    const typed = (after: string) => changedFunctions('service.ts', source, after);
    expect(typed(source.replace('{}', '{ b(1); }'))).toStrictEqual(['a']);
    expect(typed(source.replace('return x', 'return 1'))).toStrictEqual(['b']);
    expect(typed(source.replace('c = 1', 'c = 2'))).toBeUndefined();
  });

  test('are the steps of those functions; of anything else all', () => {
    const steps = (after: string) => [...touchOf(retention, 'service.py', of(reference), of(after)).steps];
    expect(steps(wrong)).toStrictEqual([4]);
    expect(steps(`${reference}def helper(): pass\n`)).toStrictEqual(allSteps);
    expect(steps(`${reference}X = 1\n`)).toStrictEqual(allSteps);
    const both = touchOf(
      retention,
      'service.py',
      of(reference),
      new Map([...of(wrong), ...of('', 'other.py')]),
    );
    expect([...both.steps]).toStrictEqual(allSteps);
    const files = (name: string) => [...touchOf(transfer, 'idem_api.py', of('', name), of('x', name)).steps];
    expect(files('replay_day.py')).toStrictEqual([8]);
    expect(files('idem.db')).toStrictEqual([1]);
    expect(files('idem_api.py')).toStrictEqual([2, 3, 4, 5, 6, 7]);
    expect(files('banking/store.py')).toStrictEqual(allSteps);
  });

  test('goes before the rest, and what failed before that', () => {
    const groups = (failed: number[], touched: number[]) =>
      groupsOf([1, 2, 3, 4, 5], new Set(failed), new Set(touched));
    expect(groups([], [])).toStrictEqual([[1], [2, 3, 4, 5]]);
    expect(groups([], [4])).toStrictEqual([[4], [1, 2, 3, 5]]);
    expect(groups([3, 5], [4])).toStrictEqual([[3], [5], [4], [1, 2]]);
    expect(groups([3, 5], [4, 5])).toStrictEqual([[5], [3], [4], [1, 2]]);
    expect(groupsOf([], new Set([1]), new Set())).toStrictEqual([]);
  });

  test('is nothing where programs keep their own', () => {
    const ignored = (name: string) => isIgnored(name, ['idem.db']);
    for (const name of [
      '.git/HEAD',
      'a/__pycache__/b.py',
      'x.db',
      'x.db-wal',
      'a/idem.db',
      '#x.py#',
      'x.py~',
      'a/b/c/d/e/f.py',
    ])
      expect([name, ignored(name)]).toStrictEqual([name, true]);
    for (const name of ['service.py', 'idem.db', 'store/schema.sql', 'idem_report.md', 'a/b/c.py'])
      expect([name, ignored(name)]).toStrictEqual([name, false]);
  });

  test('is seen by content, whatever a folder holds', () => {
    const folder = workshop.write({ 'service.py': 'a', 'store/keys.py': 'b', '.git/x': 'c' });
    symlinkSync('nowhere', path.join(folder, 'link.py'));
    symlinkSync('/dev/zero', path.join(folder, 'endless.py'));
    expect([...snapshotOf(folder, [])].sort()).toStrictEqual([
      ['service.py', 'a'],
      ['store/keys.py', 'b'],
    ]);
    expect(snapshotOf(path.join(folder, 'none'), []).size).toBe(0);
  });
});
