import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { changesBetween } from '../harness/batch/changes.ts';
import type { ClassResult } from '../harness/batch/class-results.ts';
import { GradeThread } from '../harness/batch/grade-threads.ts';
import { rosterOf } from '../harness/batch/roster.ts';
import { projectFile } from '../harness/project.ts';
import { knownLab } from '../harness/registry.ts';
import { plain } from '../harness/sandbox.ts';
import { GraderFault } from '../harness/subject/subject.ts';
import { run, start } from './labcheck.ts';
import { processesWith, python3, Workshop } from './submissions.ts';

/* A class at once: who is in it, what becomes of it, and what is left of a run that is cut short. */

const id = 'idem-retention-lab';
const lab = knownLab(id);
const reference = readFileSync(projectFile(`reference/${id}/service.py`), 'utf8');
const slow = `${reference}\nimport time\n_fetch = fetch\ndef fetch(*args):\n    time.sleep(0.02)\n    return _fetch(*args)\n`;
const workshop = new Workshop();
afterAll(() => workshop.remove());

/** Submissions, and what becomes of them by steps 1 and 4. */
const members: Readonly<Record<string, readonly [Readonly<Record<string, string>>, string]>> = {
  'anna-right': [{ 'service.py': reference }, 'passed'],
  'ben-wrong': [{ 'service.py': reference.replace('expires > ?', 'expires >= ?') }, 'failed'],
  'carla-broken': [{ 'service.py': `${reference}\ndef oops(:\n` }, 'failed'],
  'dan-slow': [{ 'service.py': slow }, 'passed'],
  'eve-two': [{ 'service.py': reference, 'service.mjs': 'export const initDb = 1;' }, 'undecided'],
  'fay-nothing': [{ 'notes.txt': 'later' }, 'failed'],
  'gus=formula': [{ 'service.py': `${reference}# Gus\n` }, 'passed'],
};

function newClass(names = Object.keys(members)): string {
  const folder = workshop.write({});
  for (const name of names) {
    mkdirSync(path.join(folder, name));
    for (const [file, text] of Object.entries(members[name]?.[0] ?? {}))
      writeFileSync(path.join(folder, name, file), text);
  }
  return folder;
}

const few = ['--step', '1', '4', '--runs', '3'];
const batch = (places: readonly string[], out: string, options: readonly string[] = few) =>
  run(['batch', id, ...places, '--out', out, ...options]);

function linesOf(out: string, file = 'results.jsonl'): readonly ClassResult[] {
  const text = readFileSync(path.join(out, file), 'utf8').trim();
  return text.split('\n').map((line) => JSON.parse(line));
}

/** What has to be the same whenever it is judged. */
function verdictsOf(out: string): unknown {
  const results = linesOf(out).map(({ name, key, report }) => [
    ...[name, key, report.verdict, report.seed],
    report.steps.map(({ step, verdict, clauses }) => [
      ...[step, verdict],
      clauses.map(({ id, verdict, failure }) => [id, verdict, failure?.got, failure?.reproduce]),
    ]),
  ]);
  return results.sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1));
}

const expected = Object.entries(members).map(([name, [, verdict]]) => [name, verdict]);

describe('batch', () => {
  test('judges each submission by itself, and writes results, a table and a report', async () => {
    const out = path.join(workshop.write({}), 'new/out');
    const { code, stdout, stderr } = await batch([newClass()], out);
    expect(code).toBe(3); // one could not be judged
    expect(stdout).toMatch(/7 submissions, 3 passed, 3 failed, 1 could not be judged/);
    expect(stdout).toMatch(/\? eve-two: .*service\.py and service\.mjs/);
    expect(stderr).toMatch(/7\/7, 0 s left\n$/);

    const schemas = ['class-result', 'report'].map((name) =>
      JSON.parse(readFileSync(projectFile(`harness/report/${name}.schema.json`), 'utf8')),
    );
    const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true });
    const validate = ajv.addSchema(schemas[1], 'report.schema.json').compile(schemas[0]);
    for (const line of linesOf(out)) expect([validate(line), validate.errors]).toStrictEqual([true, null]);
    expect(
      linesOf(out)
        .map(({ name, report }) => [name, report.verdict])
        .sort(),
    ).toStrictEqual(expected);

    const [head, ...rows] = readFileSync(path.join(out, 'summary.csv'), 'utf8').trim().split('\n');
    expect(head).toMatch(/^name,verdict,score,most,steps passed,step 1,step 4,failed clauses,/);
    expect(rows.map((row) => row.split(',').slice(0, 4).join())).toStrictEqual([
      ...['anna-right,passed,2,2', 'ben-wrong,failed,1,2', 'carla-broken,failed,0,2', 'dan-slow,passed,2,2'],
      ...['eve-two,undecided,,2', 'fay-nothing,failed,0,2', 'gus=formula,passed,2,2'],
    ]);
    expect(rows[1]).toContain(',passed,failed,4.2,');
    expect(readFileSync(path.join(out, 'report.html'), 'utf8')).toContain('carla-broken');
  });

  test('goes on after a SIGKILL with what is left, to the same results as without', async () => {
    const folder = newClass();
    const [whole, cut] = [workshop.write({}), workshop.write({})];
    await batch([folder], whole);
    const running = start(['batch', id, folder, '--out', cut, ...few, '--jobs', '1']);
    await vi.waitFor(() => expect(linesOf(cut).length).toBeGreaterThan(1), { timeout: 60_000, interval: 5 });
    running.child.kill('SIGKILL');
    await running.ended;
    const before = linesOf(cut).length;
    expect(before).toBeLessThan(7);
    writeFileSync(
      path.join(cut, 'results.jsonl'),
      `${readFileSync(path.join(cut, 'results.jsonl'), 'utf8')}{"schema`,
    );

    const { stderr } = await batch([folder], cut);
    expect(stderr).toMatch(/ 7\/7, /);
    const text = readFileSync(path.join(cut, 'results.jsonl'), 'utf8');
    const kept = text.split('\n').filter((line) => line !== '' && line !== '{"schema');
    writeFileSync(path.join(cut, 'results.jsonl'), `${kept.join('\n')}\n`);
    const undecided = linesOf(cut).filter(({ report }) => report.verdict === 'undecided').length;
    expect(linesOf(cut)).toHaveLength(6 + undecided); // none that has a verdict twice
    const latest = new Map(linesOf(cut).map((line) => [line.name, line]));
    writeFileSync(
      path.join(cut, 'results.jsonl'),
      [...latest.values()].map((line) => JSON.stringify(line)).join('\n'),
    );
    expect(verdictsOf(cut)).toStrictEqual(verdictsOf(whole));
  });

  test('tries again what has changed or could not be judged, and nothing else', async () => {
    const folder = newClass(['anna-right', 'ben-wrong', 'eve-two']);
    const out = workshop.write({});
    await batch([folder], out);
    writeFileSync(path.join(folder, 'ben-wrong/service.py'), reference);
    rmSync(path.join(folder, 'eve-two/service.mjs'));
    expect((await batch([folder], out)).code).toBe(0);
    const names = linesOf(out).map(({ name }) => name);
    expect(names.slice(3).sort()).toStrictEqual(['ben-wrong', 'eve-two']);
    await batch([folder], out, ['--step', '1', '--runs', '3']); // another question
    expect(linesOf(out)).toHaveLength(8);
    expect((await batch([newClass(['ben-wrong'])], workshop.write({}))).code).toBe(1);
  });

  test('ends at an interrupt, says how to go on, and leaves no process', async () => {
    const folder = newClass();
    const out = workshop.write({});
    const running = start(['batch', id, folder, '--out', out, '--runs', '100000', '--jobs', '1']);
    await vi.waitFor(
      () => expect(processesWith('cmdline', (line) => line.includes(`${folder}/`))).not.toEqual([]),
      {
        timeout: 60_000,
      },
    );
    running.child.kill('SIGINT');
    const { code, stderr } = await running.ended;
    expect([code, stderr.trim().split('\n').at(-1)]).toStrictEqual([
      3,
      expect.stringMatching(/goes on from/),
    ]);
    await vi.waitFor(
      () => expect(processesWith('cmdline', (line) => line.includes(`${folder}/`))).toEqual([]),
      {
        timeout: 30_000,
      },
    );
    const left = readdirSync('/dev/shm').filter((name) => name.startsWith(`labcheck-${running.child.pid}-`));
    expect(left).toStrictEqual([]);
  });

  test('says whose verdict changed, and why', async () => {
    const folder = newClass(['anna-right', 'ben-wrong', 'gus=formula']);
    const [old, now] = [workshop.write({}), workshop.write({})];
    await batch([folder], old);
    writeFileSync(path.join(folder, 'ben-wrong/service.py'), `${reference}# mended\n`);
    rmSync(path.join(folder, 'gus=formula'), { recursive: true });
    const { stdout } = await batch([folder], now, [...few, '--compare', old]);
    expect(stdout).toContain('ben-wrong: failed -> passed (4.2); another submission');
    expect(stdout).toContain('gus=formula: passed -> absent');
    const rows = readFileSync(path.join(now, 'changes.csv'), 'utf8').trim().split('\n');
    expect(rows.slice(1)).toStrictEqual([
      'ben-wrong,failed,passed,4: failed -> passed,4.2,submission',
      'gus=formula,passed,absent,,,',
    ]);
    expect(readFileSync(path.join(now, 'report.html'), 'utf8')).toContain('Whose verdict changed');
  });

  test('makes a folder for sharing that names nobody', async () => {
    const folder = newClass(['anna-right', 'ben-wrong', 'carla-broken', 'eve-two']);
    const raising = `${reference}\ndef fetch(*args):\n    raise ValueError('ben-wrong was here, in ' + __file__)\n`;
    writeFileSync(path.join(folder, 'ben-wrong/service.py'), raising);
    const out = workshop.write({});
    await batch([folder], out, [...few, '--anonymous']);
    const shared = path.join(out, 'anonymous');
    const texts = readdirSync(shared).map((file) => readFileSync(path.join(shared, file), 'utf8'));
    expect(readdirSync(shared).sort()).toStrictEqual(['report.html', 'results.jsonl', 'summary.csv']);
    expect(readFileSync(path.join(out, 'results.jsonl'), 'utf8')).toContain('ben-wrong was here');
    for (const text of texts)
      for (const secret of [folder, ...Object.keys(members)])
        expect(text.includes(secret) && secret).toBe(false);
    const names = readFileSync(path.join(out, 'names.csv'), 'utf8');
    const shownNames = linesOf(out, 'anonymous/results.jsonl').map(({ name }) => name);
    for (const name of shownNames) expect(names).toContain(name);
    expect(statSync(path.join(out, 'pseudonyms.key')).mode & 0o077).toBe(0);
    await batch([folder], out, [...few, '--anonymous']); // the same names again
    expect(linesOf(out, 'anonymous/results.jsonl').map(({ name }) => name)).toStrictEqual(shownNames);
  });

  test.each<[string, readonly string[], readonly string[], RegExp]>([
    [
      'a place that is not there',
      ['/nowhere'],
      [],
      /^labcheck: \/nowhere: there is no such folder, file or list/,
    ],
    ['a pattern of nothing', ['/nowhere/*'], [], /^labcheck: \/nowhere\/\*: matches no folder/],
    [
      'no results to compare with',
      ['.'],
      ['--compare', '/nowhere'],
      /^labcheck: --compare \/nowhere: holds no/,
    ],
    ['a step that there is not', ['.'], ['--step', '9'], /--step 9: /],
    ['points of no step', ['.'], ['--points', '9=1'], /--points 9=/],
    ['no Python', ['.'], ['--interpreter', 'no-python'], /no-python: there is no such program/],
  ])('refuses %s in one line', async (_, places, options, message) => {
    const out = path.join(workshop.write({}), 'out');
    const { code, stderr } = await batch(places, out, options);
    expect([code, stderr.trim().split('\n').length, existsSync(out)]).toStrictEqual([2, 1, false]);
    expect(stderr).toMatch(message);
  });

  test('refuses a folder for results that is a file', async () => {
    const out = path.join(workshop.write({ out: '' }), 'out');
    const { code, stderr } = await batch([newClass(['anna-right'])], out);
    expect([code, stderr]).toStrictEqual([2, expect.stringMatching(/^labcheck: --out .*\(EEXIST\)/)]);
  });
});

describe('the class is', () => {
  const folder = workshop.write({
    ...{ 'a/service.py': reference, 'b/notes.txt': '', 'c/service.mjs': '', 'c/helper.mjs': '' },
    ...{ 'flat/x.py': reference, 'flat/y.py': '', 'flat/README.md': '', '.git/service.py': '' },
    'list.txt': '# a comment\n\na\nflat/x.py\r\n',
    'wrong.txt': 'a\nnobody\n',
  });
  const at = (name: string) => path.join(folder, name);
  const namesOf = (...asked: string[]) => rosterOf(lab, asked).map(({ name, isAlone }) => [name, isAlone]);

  test('the folders in a folder, hidden ones left out', () => {
    expect(namesOf(folder).map(([name]) => name)).toStrictEqual(['a', 'b', 'c', 'flat']);
  });
  test('the code files in a folder, each alone', () => {
    expect(namesOf(at('flat'))).toStrictEqual([
      ['x.py', true],
      ['y.py', true],
    ]);
  });
  test('a pattern, spelled out by the shell or not', () => {
    const all = [
      ['a', false],
      ['b', false],
      ['c', false],
    ];
    expect(namesOf(at('a'), at('b'), at('c'))).toStrictEqual(all);
    expect(namesOf(at('{a,b,c}'))).toStrictEqual(all);
    expect(namesOf(at('*/service.*'))).toStrictEqual([all[0], all[2]]);
  });
  test('a list of paths from its own folder', () => {
    expect(namesOf(at('list.txt'))).toStrictEqual([
      ['a', false],
      ['flat/x.py', true],
    ]);
    expect(() => namesOf(at('wrong.txt'))).toThrow(/wrong\.txt:2: there is no nobody/);
  });
  test('judged file by file without its neighbours', async () => {
    const out = workshop.write({});
    const { code } = await batch([at('flat')], out, ['--step', '4', '--runs', '2']);
    expect(code).toBe(1);
    expect(
      linesOf(out)
        .map(({ name, report }) => [name, report.verdict, report.submission])
        .sort(),
    ).toStrictEqual([
      ['x.py', 'passed', at('flat/x.py')],
      ['y.py', 'failed', at('flat/y.py')],
    ]);
  });
});

test('a thread that ends costs one submission, and the next one has another thread', async () => {
  const folder = workshop.write({
    'thread.mjs': `import { parentPort } from 'node:worker_threads';
parentPort.on('message', ({ seed }) => seed === 1 ? process.exit() : parentPort.postMessage({ steps: [] }));`,
  });
  const thread = new GradeThread(pathToFileURL(path.join(folder, 'thread.mjs')));
  const of = (seed: number) =>
    thread.grade({
      ...{ lab: id, steps: [1], seed, budget: 45, threads: 1, folder, confinement: plain },
      submission: { kind: 'python', entry: path.join(folder, 'service.py'), interpreter: python3 },
      interrupted: new AbortController().signal,
    });
  expect(await of(2)).toStrictEqual([]);
  await expect(of(1)).rejects.toThrow(GraderFault);
  expect(await of(2)).toStrictEqual([]);
  await thread.close();
});

test('a change has its reason: the submission, the checks, the options, or none that is known', () => {
  const result = (verdict: 'passed' | 'failed', key: readonly [string, string, string]): ClassResult => ({
    ...{ schemaVersion: 1, name: 'a', key: { submission: key[0], checks: key[1], options: key[2] } },
    report: {
      ...{
        schemaVersion: 1,
        lab: id,
        submission: 'a',
        verdict,
        seed: 1,
        seconds: 1,
        isolation: 'none',
        steps: [],
      },
    },
  });
  const because = (key: readonly [string, string, string]) => {
    const [before, after] = [result('failed', ['1', '1', '1']), result('passed', key)];
    return changesBetween(new Map([['a', before]]), new Map([['a', after]]))[0]?.because;
  };
  expect(because(['2', '1', '1'])).toStrictEqual(['submission']);
  expect(because(['1', '2', '2'])).toStrictEqual(['checks', 'options']);
  expect(because(['1', '1', '1'])).toStrictEqual(['unknown']);
  const same = new Map([['a', result('failed', ['1', '1', '1'])]]);
  expect(changesBetween(same, same)).toStrictEqual([]);
});
