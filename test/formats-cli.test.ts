import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, test } from 'vitest';
import { projectFile } from '../harness/project.ts';
import { formats } from '../harness/report/formats.ts';
import { readers } from './formats/readers.ts';
import { type Ended, run, start } from './labcheck.ts';
import { Workshop } from './submissions.ts';

/* The flags of `labcheck grade` that say how a result is written, as they are given at a terminal. */

const lab = 'idem-retention-lab';
const reference = readFileSync(projectFile(`reference/${lab}/service.py`), 'utf8');
const workshop = new Workshop();
afterAll(() => workshop.remove());

const correct = workshop.write({ 'service.py': reference });
const wrong = workshop.write({ 'service.py': reference.replace('expires > ?', 'expires >= ?') });

function grade(submission: string, ...options: string[]): Promise<Ended> {
  return run(['grade', lab, '--submission', submission, '--step', '4', '--runs', '20', ...options]);
}

const read = (file: string) => readFileSync(file, 'utf8').replace(/\n$/, '');
const understood = async (format: string, text: string) => readers[format]?.(text.trimEnd());
const names = formats.map(({ name }) => name);

describe.concurrent('a result', () => {
  test('goes in every format to its own file, and in words to the terminal', async () => {
    const folder = workshop.write({});
    const options = names.flatMap((name) => ['--format', `${name}=${path.join(folder, name)}`]);
    const { code, stdout, stderr } = await grade(wrong, ...options);
    expect([code, stderr]).toStrictEqual([1, '']);
    expect((await understood('pretty', stdout))?.whole).toBe('failed');
    expect(readdirSync(folder).sort()).toStrictEqual([...names].sort());
    for (const name of names) {
      expect((await understood(name, read(path.join(folder, name))))?.whole).toBe('failed');
    }
  });

  test.each(names)('is all there is on standard output, as %s', async (name) => {
    const { code, stdout, stderr } = await grade(correct, '--format', name);
    expect([code, stderr]).toStrictEqual([0, '']);
    expect((await understood(name, stdout))?.whole).toBe('passed');
  });

  test('may go to standard output in one format, and to files in others', async () => {
    const [tap, copy] = [path.join(workshop.write({}), 'a=b.tap'), path.join(workshop.write({}), 'copy.tap')];
    const files = ['--format', `tap=${tap}`, '--format', `tap=${copy}`];
    const { code, stdout } = await grade(wrong, ...files, '--format', 'json');
    expect([code, (await understood('json', stdout))?.whole]).toStrictEqual([1, 'failed']);
    expect((await understood('tap', read(tap)))?.whole).toBe('failed');
    expect(read(copy)).toBe(read(tap));
  });

  test('replaces a file as a whole, but writes through a link and to a device', async () => {
    const folder = workshop.write({ 'old.xml': 'x'.repeat(100_000), target: '' });
    symlinkSync('target', path.join(folder, 'link'));
    const file = (name: string) => path.join(folder, name);
    const places = [`junit=${file('old.xml')}`, `check50=${file('link')}`, 'sarif=/dev/null'];
    expect((await grade(correct, ...places.flatMap((place) => ['--format', place]))).code).toBe(0);
    expect((await understood('junit', read(file('old.xml'))))?.whole).toBe('passed');
    expect((await understood('check50', read(file('target'))))?.whole).toBe('passed');
    expect(readdirSync(folder).sort()).toStrictEqual(['link', 'old.xml', 'target']);
  });

  test('has the points asked for', async () => {
    const points = async (...options: string[]) => {
      const { stdout } = await grade(wrong, '--format', 'gradescope', ...options);
      return JSON.parse(stdout).tests.map(({ score, max_score }: Record<string, number>) => [
        score,
        max_score,
      ]);
    };
    expect(await points()).toStrictEqual([[0, 1]]);
    expect(await points('--points', '1=5,4=7.5', '--points', '2=1', '--partial')).toStrictEqual([[5, 7.5]]);
  });
});

describe.concurrent('with --hide-cases', () => {
  test('neither words nor JSON say what was asked', async () => {
    const open = JSON.parse((await grade(wrong, '--format', 'json')).stdout);
    const [failed] = open.steps[0].clauses.filter(({ failure }: { failure?: object }) => failure);
    const { given, calls, got, reproduce, path: way } = failed.failure;
    const secrets = [...given, ...calls, got, reproduce.split('\n')[2], way, String(open.seed)];
    const words = await grade(wrong, '--hide-cases');
    const hidden = await grade(wrong, '--hide-cases', '--format', 'json');
    for (const { code, stdout } of [words, hidden]) {
      expect([code, secrets.filter((secret) => stdout.includes(secret))]).toStrictEqual([1, []]);
      const unwrapped = stdout.replace(/\s+/g, ' ');
      expect(unwrapped).toContain(failed.statement);
      expect(unwrapped).toContain(failed.failure.hint);
    }
    const schema = JSON.parse(readFileSync(projectFile('harness/report/report.schema.json'), 'utf8'));
    const validate = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true }).compile(
      schema,
    );
    const report = JSON.parse(hidden.stdout);
    expect([validate(report), validate.errors]).toStrictEqual([true, null]);
    expect(validate({ ...report, seed: 1 })).toBe(false);
    expect(validate({ ...report, casesHidden: undefined, seed: undefined })).toBe(false);
  });
});

describe('a result so far', () => {
  test('is in every file, and the rest is undecided, when it is interrupted', async () => {
    const folder = workshop.write({});
    const options = names.flatMap((name) => ['--format', `${name}=${path.join(folder, name)}`]);
    const limits = ['--runs', '100000', '--budget', '60'];
    const { child, ended } = start(['grade', lab, '--submission', correct, ...limits, ...options]);
    await expect
      .poll(() => names.every((name) => existsSync(path.join(folder, name))), { timeout: 20_000 })
      .toBe(true);
    for (const name of names) {
      const { whole } = (await understood(name, read(path.join(folder, name)))) ?? {};
      expect([name, whole]).toStrictEqual([name, name === 'exercism' ? 'error' : 'undecided']);
    }
    child.kill('SIGINT');
    expect((await ended).code).toBe(3);
    for (const name of names) {
      const { whole, points } = (await understood(name, read(path.join(folder, name)))) ?? {};
      expect([name, whole]).toStrictEqual([name, name === 'exercism' ? 'error' : 'undecided']);
      expect(points ?? null).toBeNull();
    }
  });
});

describe('for GitHub', () => {
  test('the summary of the job is appended, and places are relative to the workspace', async () => {
    const folder = workshop.write({
      'summary.md': 'before\n',
      'lab/service.py': readFileSync(path.join(wrong, 'service.py'), 'utf8'),
    });
    const summary = path.join(folder, 'summary.md');
    const { code, stdout } = await run(
      [
        'grade',
        lab,
        '--submission',
        path.join(folder, 'lab'),
        '--step',
        '4',
        '--runs',
        '20',
        '--format',
        'github',
      ],
      { GITHUB_STEP_SUMMARY: summary, GITHUB_WORKSPACE: folder },
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(/^::error file=lab\/service\.py,line=\d+,title=4\./);
    expect(read(summary)).toMatch(/^before\n## .*\n\n\| step /);
  });

  test('a summary that cannot be written is told', async () => {
    const { code, stderr } = await run(
      ['grade', lab, '--submission', correct, '--step', '1', '--runs', '2', '--format', 'github'],
      { GITHUB_STEP_SUMMARY: '/no/such/folder/summary.md' },
    );
    expect([code, stderr]).toStrictEqual([
      2,
      expect.stringMatching(/^labcheck: GITHUB_STEP_SUMMARY .*ENOENT.*\n$/),
    ]);
  });
});

test("what GitHub Classroom's graders put out is one line for GITHUB_OUTPUT", async () => {
  const { stdout } = await grade(wrong, '--format', 'classroom');
  const output = path.join(workshop.write({}), 'output');
  writeFileSync(output, `result=${stdout}`);
  const shell = `. "$1"; printf %s "$result" | base64 -d`;
  const json = execFileSync('sh', ['-c', shell, 'sh', output], { encoding: 'utf8' });
  expect(JSON.parse(json)).toMatchObject({ version: 1, status: 'fail', max_score: 1 });
});

describe.concurrent('wrong use is one line, and code 2:', () => {
  const taken = path.join(workshop.write({}), 'out');
  test.each([
    ['an unknown format', ['--format', 'xml'], /'xml'.*pretty, json, html, junit, tap/],
    ['an unknown format with a file', ['--format', 'xml=out'], /'xml'/],
    ['no file after =', ['--format', 'junit='], /junit=/],
    [
      'two to standard output',
      ['--format', 'json', '--format', 'tap'],
      /--format json --format tap.*NAME=FILE/,
    ],
    ['a file for two', ['--format', 'json', '--format', 'tap', '--output', taken], /--output .*NAME=FILE/],
    ['two files for one', ['--format', 'json=a', '--output', taken], /--output .*NAME=FILE/],
    ['one file twice', ['--format', `json=${taken}`, '--format', `tap=${taken}`], /twice/],
    ['points of no step', ['--points', '9=5'], /--points 9=.*1 to 8/],
    ['points that are no number', ['--points', '1=many'], /--points.*1=5/],
    ['points below zero', ['--points', '1=-5'], /--points.*1=5/],
    ['points of nothing', ['--points', '5'], /--points.*1=5/],
  ])('%s', async (_, options, message) => {
    const { code, stdout, stderr } = await grade(correct, ...options);
    expect(stderr).toMatch(message);
    expect([code, stdout, stderr.trimEnd().split('\n').length]).toStrictEqual([2, '', 1]);
    expect(existsSync(taken)).toBe(false);
  });

  test('a file that cannot be written, once the others are', async () => {
    const folder = workshop.write({});
    mkdirSync(path.join(folder, 'tap'));
    const places = [`json=${path.join(folder, 'none', 'json')}`, `tap=${path.join(folder, 'tap')}`];
    const last = path.join(folder, 'last');
    const options = [...places, `junit=${last}`].flatMap((place) => ['--format', place]);
    const { code, stdout, stderr } = await grade(correct, ...options);
    expect([code, stderr.trimEnd().split('\n').length]).toStrictEqual([2, 1]);
    expect(stderr).toMatch(/^labcheck: --format json=.*ENOENT/);
    expect((await understood('pretty', stdout))?.whole).toBe('passed');
    expect((await understood('junit', read(last)))?.whole).toBe('passed');
  });
});
