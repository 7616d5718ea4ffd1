import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { NoOperationTraceWriter } from '@actions/workflow-parser';
import { parseAction } from '@actions/workflow-parser/actions/action-parser';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { projectFile } from '../harness/project.ts';
import { readers } from './formats/readers.ts';
import { cli } from './labcheck.ts';
import { python3, Workshop } from './submissions.ts';

/*
 * The gate of a pull request or a merge request: the action's own steps and the documented job of GitLab, run as their platforms
 * run them. The installation is not: npm would compile SQLite. What it leaves is built from, though.
 */

const workshop = new Workshop();
afterAll(() => workshop.remove());

const lab = 'idem-retention-lab';
const reference = readFileSync(projectFile(`reference/${lab}/service.py`), 'utf8');
const submissions = {
  right: reference,
  wrong: reference.replace('expires > ?', 'expires >= ?'),
  broken: 'def init_db(path:\n',
  'wrong throughout': reference.replace(/^(def (?!_)\w+\(.*\).*:)$/gm, '$1\n    raise ValueError("no")'),
};
/** A checkout with a submission in a folder whose name is no word. */
const checkoutOf = (name: keyof typeof submissions) =>
  workshop.write({ 'a lab/service.py': submissions[name] });

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A script, as both platforms run it: it ends at the first command that fails. */
function bash(script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  return new Promise((resolve) => {
    const args = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script];
    execFile('/bin/bash', args, { cwd, env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

// ---- GitHub

interface Step {
  readonly id?: string;
  readonly run: string;
  readonly shell: string;
  readonly env?: Readonly<Record<string, string>>;
}
interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly required?: boolean }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

const text = readFileSync(projectFile('action.yml'), 'utf8');
const action: Action = parse(text);

/** What GitHub's own parser says against an action. */
function faults(content: string): readonly string[] {
  const parsed = parseAction({ name: 'action.yml', content }, new NoOperationTraceWriter());
  return parsed.context.errors.getErrors().map(String);
}

/** `${{ inputs.lab }}`, and no other expression. */
function evaluated(expression: string, context: Readonly<Record<string, string>>): string {
  const [, name = ''] = /^\$\{\{ ([\w.-]+) \}\}$/.exec(expression) ?? [];
  return context[name] ?? expect.unreachable(`no value for ${expression}`);
}

interface Judged extends Ended {
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
}

/** Runs the step that judges, with what a runner of GitHub gives it. */
async function judged(
  workspace: string,
  inputs: Readonly<Record<string, string>>,
  environment: NodeJS.ProcessEnv = {},
): Promise<Judged> {
  const files = workshop.write({ output: '', summary: '', 'temp/x': '', 'action/x': '' });
  const file = (name: string) => path.join(files, name);
  symlinkSync(path.dirname(cli), file('action/dist'));
  const step = action.runs.steps.find(({ id }) => id === 'judge') ?? expect.unreachable();
  const given = Object.entries(action.inputs).map(([name, input]) => [
    `inputs.${name}`,
    inputs[name] ?? input.default ?? '',
  ]);
  const variables = Object.entries(step.env ?? {}).map(([name, expression]) => [
    name,
    evaluated(expression, Object.fromEntries(given)),
  ]);
  const env = {
    PATH: process.env.PATH,
    GITHUB_ACTION_PATH: file('action'),
    GITHUB_OUTPUT: file('output'),
    GITHUB_STEP_SUMMARY: file('summary'),
    GITHUB_WORKSPACE: workspace,
    RUNNER_TEMP: file('temp'),
    ...environment,
    ...Object.fromEntries(variables),
  };
  expect(step.shell).toBe('bash');
  const ended = await bash(step.run, workspace, env);
  const lines = readFileSync(file('output'), 'utf8').split('\n').filter(Boolean);
  const known = lines.map((line) => /^(\w+)=(.*)$/.exec(line) ?? expect.unreachable(line));
  const context = Object.fromEntries(known.map(([, name, value]) => [`steps.judge.outputs.${name}`, value]));
  const outputs = Object.entries(action.outputs).map(([name, { value }]) => [
    name,
    evaluated(value, { 'steps.judge.outputs.verdict': '', 'steps.judge.outputs.result': '', ...context }),
  ]);
  return {
    ...ended,
    outputs: Object.fromEntries(outputs),
    summary: readFileSync(file('summary'), 'utf8'),
  };
}

/** A folder with what the step needs, and these programs. */
function pathWith(programs: Readonly<Record<string, string>>): string {
  const bin = workshop.write({});
  const mktemp = execFileSync('which', ['mktemp'], { encoding: 'utf8' }).trim();
  for (const [name, file] of Object.entries({ node: process.execPath, mktemp, ...programs }))
    symlinkSync(file, path.join(bin, name));
  return bin;
}

const annotations = ({ stdout }: Ended) =>
  [...stdout.matchAll(/^::error (?:file=([^,]+),line=(\d+),)?title=(\S+)/gm)].map(([, ...found]) => found);
const resultOf = ({ outputs }: Judged) => JSON.parse(readFileSync(outputs.result ?? '', 'utf8'));

describe('the action', () => {
  test("keeps GitHub's own schema of actions", () => {
    expect(faults(text)).toStrictEqual([]);
    expect(faults(text.replace('using: composite', 'using: composed'))).not.toStrictEqual([]);
    expect(faults(text.replace('    - name: Judge', '    - nam: Judge'))).not.toStrictEqual([]);
  });

  test('takes each input by the environment of one step, and none into a script', () => {
    const steps = action.runs.steps;
    const used = steps.flatMap(({ env = {} }) => Object.values(env));
    expect(used.sort()).toStrictEqual(
      Object.keys(action.inputs)
        .map((name) => `\${{ inputs.${name} }}`)
        .sort(),
    );
    for (const { run } of steps) expect(run).not.toContain('${{');
  });

  test('builds from what its installation leaves', () => {
    const folder = workshop.write({});
    for (const name of [
      'build.mjs',
      'checks',
      'harness',
      'package.json',
      'tsconfig.json',
      'tsconfig.types.json',
    ])
      cpSync(projectFile(name), path.join(folder, name), { recursive: true });
    const { packages } = JSON.parse(readFileSync(projectFile('package-lock.json'), 'utf8'));
    const left = Object.keys(packages).filter(
      (name) =>
        /^node_modules\/(@[^/]+\/)?[^/]+$/.test(name) && !packages[name].dev && existsSync(projectFile(name)),
    );
    expect(left).toContain('node_modules/typescript'); // a peer of i18next: it alone says nothing
    for (const name of left) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      symlinkSync(projectFile(name), path.join(folder, name));
    }
    const built = spawnSync(process.execPath, ['build.mjs'], { cwd: folder, encoding: 'utf8' });
    expect([built.stderr, built.status]).toStrictEqual(['', 0]);
    const listed = execFileSync(process.execPath, ['dist/cli.js', 'list'], { cwd: folder, encoding: 'utf8' });
    expect(listed).toMatch(/^idem-retention-lab /);
    expect(existsSync(path.join(folder, 'dist/types'))).toBe(false);
  });

  test('lets a right submission pass', async () => {
    const run = await judged(checkoutOf('right'), { lab, path: 'a lab' });
    expect([run.code, run.stderr, run.outputs.verdict]).toStrictEqual([0, '', 'passed']);
    expect(annotations(run)).toStrictEqual([]);
    expect(resultOf(run)).toMatchObject({ lab, verdict: 'passed' });
    expect(run.summary).toMatch(/^## idem&#45;retention&#45;lab: passed\n/);
    expect(run.summary.match(/^\| \d /gm)).toHaveLength(8);
    expect(run.summary).not.toContain('<details');
    expect(run.summary).toContain(`isolation&#58; ${resultOf(run).isolation}`);
  });

  test('stops a wrong one, and shows the first counterexample', async () => {
    const run = await judged(checkoutOf('wrong'), { lab, path: 'a lab', steps: '1,4', points: '1=2,4=3' });
    expect([run.code, run.stderr, run.outputs.verdict]).toStrictEqual([1, '', 'failed']);
    const line = submissions.wrong.split('\n').findIndex((each) => each.startsWith('def fetch(')) + 1;
    expect(annotations(run)[0]).toStrictEqual(['a lab/service.py', String(line), '4.2']);
    const [failure] = resultOf(run).steps[1].clauses.flatMap(
      ({ failure: each }: { failure?: object }) => each ?? [],
    );
    const [, first = ''] =
      /<details open>\n<summary>4&#46;2 .*<\/summary>\n<pre>(.*?)<\/pre>/s.exec(run.summary) ?? [];
    for (const call of failure.calls) expect(first).toContain(call.replaceAll('>', '&#62;'));
    expect(run.summary).toMatch(/\| 4 fetch \| failed \| \d of 3 \| 0 of 3 \|/);
    expect(run.summary.split('<details open>')).toHaveLength(2);
  });

  test('stops one that cannot be loaded, at its line', async () => {
    const run = await judged(checkoutOf('broken'), { lab, path: 'a lab/service.py', steps: '2' });
    expect([run.code, run.stderr, run.outputs.verdict]).toStrictEqual([1, '', 'failed']);
    const [first] = annotations(run); // another thread may have asked another clause meanwhile
    expect(first).toStrictEqual(['a lab/service.py', '1', '2.1']);
    expect(run.summary).toContain('SyntaxError');
  });

  test('has ten annotations at most, of which the last names the others', async () => {
    const run = await judged(checkoutOf('wrong throughout'), { lab, path: 'a lab' });
    expect([run.code, run.outputs.verdict]).toStrictEqual([1, 'failed']);
    const failed = run.summary.split('<summary>').length - 1;
    expect(failed).toBeGreaterThan(10);
    const titles = annotations(run).map(([, , title]) => title);
    expect(titles).toHaveLength(10);
    expect(run.stdout).toMatch(new RegExp(`^::error title=${failed - 9} more clauses::`, 'm'));
  });

  test('does not pass what could not be judged', async () => {
    const run = await judged(checkoutOf('right'), { lab, path: 'a lab', steps: '1' }, { PATH: pathWith({}) });
    expect([run.code, run.outputs.verdict]).toStrictEqual([3, 'undecided']);
    expect(run.stdout).toMatch(/^::warning title=.*python3/m);
    expect(resultOf(run).verdict).toBe('undecided');
    expect(run.summary).toMatch(/^## .*: undecided\n\ncould not be judged/);
  });

  test('judges nothing without bubblewrap where it has to', async () => {
    const environment = { PATH: pathWith({ python3 }) };
    const inputs = { lab, path: 'a lab', steps: '1' };
    const open = await judged(checkoutOf('right'), inputs, environment);
    expect([open.code, resultOf(open).isolation]).toStrictEqual([0, expect.stringMatching(/user|process/)]);
    expect(open.stderr).toMatch(/bubblewrap/);
    const shut = await judged(checkoutOf('right'), { ...inputs, 'require-sandbox': 'true' }, environment);
    expect([shut.code, shut.outputs.verdict, shut.outputs.result]).toStrictEqual([2, '', '']);
  });

  test('writes further results', async () => {
    const workspace = checkoutOf('wrong');
    const format = 'junit=labcheck.xml\nsarif=out.sarif  tap=*.tap';
    const run = await judged(workspace, { lab, path: 'a lab', steps: '4', format });
    expect(run.code).toBe(1);
    expect(readdirSync(workspace).sort()).toStrictEqual(['*.tap', 'a lab', 'labcheck.xml', 'out.sarif']);
    for (const [name, file] of [
      ['junit', 'labcheck.xml'],
      ['sarif', 'out.sarif'],
      ['tap', '*.tap'],
    ] as const) {
      const written = readFileSync(path.join(workspace, file), 'utf8').trimEnd();
      expect((await readers[name]?.(written))?.whole).toBe('failed');
    }
  });

  test.each([
    ['lab', '--help'],
    ['lab', '$(touch forged)'],
    ['lab', '"; touch forged; exit 0; "'],
    ['path', '--help'],
    ['path', "' ; touch forged; '"],
    ['path', '`touch forged`\nverdict=passed'],
    ['steps', '1 --help'],
    ['steps', '1;touch forged'],
    ['format', '$(touch forged)'],
    ['format', '--help'],
    ['points', '1=1 --help'],
    ['points', '$(touch forged)'],
  ])('obeys nothing that is given as %s: %s', async (name, value) => {
    const workspace = checkoutOf('right');
    const run = await judged(workspace, { lab, path: 'a lab', steps: '1', [name]: value });
    expect(run.code).toBeGreaterThan(0);
    expect(run.outputs.verdict).not.toBe('passed');
    expect(readdirSync(workspace)).toStrictEqual(['a lab']);
  });
});

// ---- GitLab

interface Job {
  readonly variables: Readonly<Record<string, string>>;
  readonly script: readonly string[];
  readonly artifacts: {
    readonly when: string;
    readonly reports: { readonly junit: string };
    readonly paths: string[];
  };
  readonly retry: object;
}

const guide = readFileSync(projectFile('docs/ci.md'), 'utf8');
const [, shown = ''] = /^## GitLab\n\n```yaml\n(.*?)^```/ms.exec(guide) ?? [];
const { labcheck: job }: { readonly labcheck: Job } = parse(shown);

/** Runs the job's script: its lines in one shell. */
function run(workspace: string): Promise<Ended> {
  const home = workshop.write({});
  symlinkSync(path.dirname(cli), path.join(home, 'dist'));
  const env = { PATH: process.env.PATH, ...job.variables, SUBMISSION: 'a lab', LABCHECK: home };
  return bash(job.script.join('\n'), workspace, env);
}

describe("GitLab's job", () => {
  test.each([
    ['right', 0, 'passed'],
    ['wrong', 1, 'failed'],
    ['broken', 1, 'failed'],
  ] as const)('gates by a %s submission, and leaves its report', async (name, code, verdict) => {
    const workspace = checkoutOf(name);
    const ended = await run(workspace);
    expect([ended.code, ended.stderr]).toStrictEqual([code, '']);
    expect(ended.stdout).toMatch(new RegExp(`^${lab}: ${verdict}\\. `, 'm'));
    const { reports, paths, when } = job.artifacts;
    expect([when, ...paths.sort()]).toStrictEqual([
      'always',
      ...readdirSync(workspace)
        .filter((each) => each !== 'a lab')
        .sort(),
    ]);
    const junit = readFileSync(path.join(workspace, reports.junit), 'utf8').trimEnd();
    const { whole, parts } = (await readers.junit?.(junit)) ?? expect.unreachable();
    expect([whole, Object.keys(parts).length]).toStrictEqual([verdict, 28]);
  });

  test('is tried again where the grader is at fault', () => {
    expect(job.retry).toStrictEqual({ max: 1, exit_codes: 3 });
  });
});

test("GitHub's workflow in the guide names inputs and outputs that there are", () => {
  const [, workflow = ''] = /^## GitHub\n\n```yaml\n(.*?)^```/ms.exec(guide) ?? [];
  const [step] = parse(workflow).jobs.lab.steps.filter(({ id }: { id?: string }) => id === 'labcheck');
  expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(step.with)));
  const required = Object.entries(action.inputs).filter(([, { required: needed }]) => needed);
  expect(Object.keys(step.with)).toEqual(expect.arrayContaining(required.map(([name]) => name)));
  const rows = [...guide.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name);
  expect(rows).toStrictEqual([...Object.keys(action.inputs), ...Object.keys(action.outputs)]);
});
