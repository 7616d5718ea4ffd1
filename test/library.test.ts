import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { now } from '../harness/clock.ts';
import { type GradeOptions, grade, labs, render, UsageError } from '../harness/library.ts';
import { projectFile } from '../harness/project.ts';
import { remoteLanes } from '../harness/remote-lane.ts';
import { plain } from '../harness/sandbox.ts';
import { GraderFault } from '../harness/subject/subject.ts';
import { python3, Workshop } from './submissions.ts';

/* Grading from a program: as functions, and as the package that others install. */

const lab = 'idem-retention-lab';
const right = projectFile(`reference/${lab}/service.py`);
const workshop = new Workshop();
afterAll(() => workshop.remove());

const wrong = workshop.write({
  'service.py': readFileSync(right, 'utf8').replace('expires > ?', 'expires >= ?'),
});

describe('grade', () => {
  test('judges several steps, and tells each clause as it ends', async () => {
    const told: string[] = [];
    const onClause = (step: number, { id }: { id: string }) => told.push(`${step} ${id}`);
    const report = await grade({ lab, submission: right, steps: [1, 3, 4], runs: 3, onClause });
    expect([report.verdict, report.steps.map(({ step }) => step)]).toStrictEqual(['passed', [1, 3, 4]]);
    const all = report.steps.flatMap(({ step, clauses }) => clauses.map(({ id }) => `${step} ${id}`));
    expect(told.sort()).toStrictEqual(all.sort());
  });

  test('shows the smallest input that breaks a clause, the same for the same seed', async () => {
    const of = async (seed: number) => {
      const report = await grade({ lab, submission: wrong, steps: [4], seed });
      return report.steps[0]?.clauses.flatMap(({ id, failure }) => (failure ? [[id, failure.got]] : []));
    };
    const first = await of(7);
    expect(first?.length).toBeGreaterThan(0);
    expect(await of(7)).toStrictEqual(first);
  });

  test('leaves undecided what an abort has cut short', async () => {
    const report = await grade({ lab, submission: right, signal: AbortSignal.abort() });
    expect([report.verdict, report.fault]).toStrictEqual(['undecided', 'interrupted']);
  });

  test.each<[string, Partial<GradeOptions>, RegExp]>([
    ['a lab', { lab: 'no-lab' }, /^lab no-lab: .*idem-retention-lab/],
    ['a submission', { submission: '/nowhere' }, /\/nowhere: there is no such folder/],
    ['a step', { steps: [9] }, /^steps 9: .*1 to 8/],
    ['a seed', { seed: -1 }, /^seed -1: /],
    ['runs', { runs: 0 }, /^runs 0: /],
    ['a budget', { budget: Number.NaN }, /^budget NaN: /],
    ['an interpreter', { interpreter: 'no-python' }, /no-python: there is no such program/],
  ])('refuses %s that is none in one line', async (_, options, message) => {
    const error = await grade({ lab, submission: right, ...options }).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).not.toContain('\n');
  });
});

test('labs names what there is to grade', () => {
  expect(labs().map(({ id, steps }) => [id, steps.length])).toStrictEqual([
    ['idem-retention-lab', 8],
    ['idem-transfer-lab', 8],
  ]);
});

test('render writes a report in a format, and hides its cases where it is told to', async () => {
  const report = await grade({ lab, submission: wrong, steps: [4] });
  const got = report.steps[0]?.clauses.find(({ failure }) => failure)?.failure?.calls[0] ?? '';
  expect(got).toContain('fetch(path, ');
  expect(JSON.parse(await render(report, 'json'))).toStrictEqual(JSON.parse(JSON.stringify(report)));
  expect(await render(report, 'tap')).toContain('fetch(path, ');
  expect(await render(report, 'tap', { hideCases: true })).not.toContain('fetch(path, ');
  const { score } = JSON.parse(await render(report, 'gradescope', { points: { 4: 6 }, partial: true }));
  expect(score).toBeGreaterThan(0);
  await expect(render(report, 'no-format')).rejects.toThrow(UsageError);
});

/** A thread that does nothing but this. */
function laneOf(code: string) {
  const entry = path.join(mkdtempSync(path.join(workshop.folder, 'thread-')), 'thread.mjs');
  writeFileSync(entry, code);
  const run = { lab, submission: { kind: 'python', entry: right, interpreter: python3 }, seed: 1 } as const;
  const others = { folder: workshop.folder, runs: 1, callLimit: 1000, confinement: plain };
  const [lane] = remoteLanes({ ...run, ...others }, 1, pathToFileURL(entry));
  if (!lane) throw new Error('no lane');
  return lane;
}

test.each([
  ['cannot be started', "throw new Error('broken')"],
  [
    'ends when it is asked',
    "import { parentPort as p } from 'node:worker_threads'; p.on('message', () => process.exit());",
  ],
])('a thread that %s rejects what waits for it, and all that is asked later', async (_, code) => {
  const lane = laneOf(code);
  const task = { step: 1, clause: '1.1', deadline: now() + 60_000, share: now() + 60_000 };
  await expect(lane.verify(task)).rejects.toThrow(GraderFault);
  expect(lane.isAlive).toBe(false);
  await expect(lane.verify(task)).rejects.toThrow(GraderFault);
  await lane.close();
});

describe('the package', () => {
  /** A project that has installed it: what `npm pack` packs, beside the packages that it depends on. */
  function installed(): string {
    const folder = mkdtempSync(path.join(workshop.folder, 'user-'));
    const modules = path.join(folder, 'node_modules');
    mkdirSync(path.join(modules, 'idem-lab-checks'), { recursive: true });
    const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
    const file = execFileSync('npm', pack, { cwd: projectFile('.'), encoding: 'utf8' }).trim();
    execFileSync('tar', [
      ...['-xzf', path.join(folder, file)],
      ...['-C', path.join(modules, 'idem-lab-checks'), '--strip-components', '1'],
    ]);
    for (const name of readdirSync(projectFile('node_modules')))
      if (!name.startsWith('.')) symlinkSync(projectFile(`node_modules/${name}`), path.join(modules, name));
    writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
    return folder;
  }

  test('grades from a program, with types, and brings the command', () => {
    const folder = installed();
    const example = path.join(folder, 'grade.mjs');
    writeFileSync(example, readFileSync(projectFile('docs/examples/grade.mjs')));
    const told = execFileSync(process.execPath, [example, wrong], {
      cwd: folder,
      encoding: 'utf8',
      stdio: 'pipe',
    });
    expect(told.split('\n').slice(0, 4)).toStrictEqual([
      ...['1 init_db passed', '2 reserve passed', '3 finish passed', '4 fetch failed'],
    ]);
    expect(told).toMatch(/^4\.2\n {2}fetch\(path, /m);

    const typed = [
      "import { grade, type Report } from 'idem-lab-checks';",
      "const report: Report = await grade({ lab: 'idem-retention-lab', submission: '.', steps: [1] });",
      'export const verdict = report.verdict satisfies string;',
      '// @ts-expect-error: a lab has to be named',
      "await grade({ submission: '.' });",
    ];
    writeFileSync(path.join(folder, 'typed.ts'), typed.join('\n'));
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--skipLibCheck'];
    const tsc = projectFile('node_modules/typescript/bin/tsc');
    execFileSync(process.execPath, [tsc, ...options, 'typed.ts'], { cwd: folder, stdio: 'pipe' });

    const command = path.join(folder, 'node_modules/idem-lab-checks/dist/cli.js');
    const list = execFileSync(process.execPath, [command, 'list'], { cwd: folder, encoding: 'utf8' });
    expect(list).toContain('idem-transfer-lab');
  });
});
