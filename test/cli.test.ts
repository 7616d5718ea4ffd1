import { execFile, execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { projectFile } from '../harness/project.ts';
import type { FailureReport, Report } from '../harness/report/report.ts';
import { cli, type Ended, run, start } from './labcheck.ts';
import { processesWith, python3, Workshop } from './submissions.ts';

const lab = 'idem-retention-lab';
const reference = readFileSync(projectFile(`reference/${lab}/service.py`), 'utf8');
const workshop = new Workshop();

afterAll(() => workshop.remove());

function grade(folder: string, ...options: string[]): Promise<Ended> {
  return run(['grade', lab, '--submission', folder, ...options]);
}

describe('the result so far', () => {
  test('is a valid document at any time, and what SIGKILL leaves', async () => {
    const folder = submission(referenceAfter('time.sleep(0.02)'));
    const file = path.join(workshop.write({}), 'result.json');
    const options = ['--format', 'json', '--output', file, '--budget', '30'];
    const { child, ended, printed } = start(['grade', lab, '--submission', folder, ...options]);
    await printed('✓ 1.1');
    const partial = (): Report => JSON.parse(readFileSync(file, 'utf8'));
    await expect.poll(() => partial().steps[0]?.clauses[0]?.verdict, { timeout: 10_000 }).toBe('passed');
    child.kill('SIGKILL');
    await ended;
    const left = partial();
    expect(left).toMatchObject({ verdict: 'undecided', fault: expect.any(String), isolation: 'bubblewrap' });
    expect(left.steps.flatMap(({ clauses }) => clauses)).toHaveLength(28);
    expect(left.steps.at(-1)?.verdict).toBe('undecided');
    for (const folder of scratchOf(child.pid)) rmSync(folder, { recursive: true });
  });
});

// ---- the sandbox

describe('without bubblewrap', () => {
  const programs = workshop.write({});
  symlinkSync(python3, path.join(programs, 'python3'));
  const args = ['grade', lab, '--submission', correct, ...quick];

  test('one line says so, and the result says what was achieved', async () => {
    const { code, stdout, stderr } = await run([...args, '--format', 'json'], { PATH: programs });
    expect([code, stderr.trimEnd().split('\n')]).toStrictEqual([0, [expect.stringMatching(/no sandbox/)]]);
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'passed', isolation: 'process' });
  });

  test('nothing is judged where it is required', async () => {
    const { code, stdout, stderr } = await run([...args, '--require-sandbox'], { PATH: programs });
    expect([code, stdout]).toStrictEqual([2, '']);
    expect(stderr).toMatch(/^labcheck: --require-sandbox: .*install it.*\n$/);
  });

  test('or where it does not work, its own reason is given', async () => {
    const broken = workshop.write({ bwrap: "#!/bin/sh\necho 'bwrap: No permissions' >&2\nexit 1\n" });
    chmodSync(path.join(broken, 'bwrap'), 0o755);
    symlinkSync(python3, path.join(broken, 'python3'));
    const { code, stderr } = await run(args, { PATH: broken });
    expect([code, stderr]).toStrictEqual([0, expect.stringMatching(/bwrap: No permissions/)]);
  });
});

describe.skipIf(process.getuid?.() !== 0 || !existsSync('/usr/bin/python3'))(
  'as root without bubblewrap',
  () => {
    const open = mkdtempSync('/tmp/labcheck-test-');
    chmodSync(open, 0o755);
    afterAll(() => rmSync(open, { recursive: true }));

    test('a submission that anybody may read is run by a user who owns nothing', async () => {
      const whoAmI = 'import os\nassert os.getuid() == 65534 and os.getgid() == 65534\n';
      writeFileSync(path.join(open, 'service.py'), whoAmI + reference);
      const options = ['--interpreter', '/usr/bin/python3', '--runs', '10', '--format', 'json'];
      const { code, stdout } = await run(['grade', lab, '--submission', open, ...options], { PATH: open });
      expect([code, JSON.parse(stdout).isolation]).toStrictEqual([0, 'user']);
    });
  },
);

// ---- the machine

describe('a machine', () => {
  /** The command line, where /tmp and /dev/shm are empty and these of them cannot be written to. */
  const elsewhere = (readOnly: readonly string[], { size = 1 << 30, temp = '/tmp', before = 'true' }) =>
    new Promise<{ code: number; errors: string }>((resolve) => {
      const root = projectFile('.'); // which may itself lie in one of them
      const mounts = ['/dev/shm', '/tmp'].flatMap((place) => ['--size', String(size), '--tmpfs', place]);
      const remounts = readOnly.flatMap((place) => ['--remount-ro', place]);
      const shell = ['/bin/sh', '-c', `${before}; exec "$0" "$@"`, process.execPath, cli];
      const submission = projectFile(`reference/${lab}/service.py`);
      const all = ['--dev-bind', '/', '/', ...mounts, '--ro-bind', root, root, ...remounts];
      const asked = ['grade', lab, '--submission', submission, ...quick];
      execFile('bwrap', [...all, '--setenv', 'TMPDIR', temp, '--', ...shell, ...asked], (error, _, errors) =>
        resolve({ code: Number(error?.code ?? 0), errors }),
      );
    });

  test('without a memory file system is as good as another, but for the speed', async () => {
    expect(await elsewhere(['/dev/shm'], { temp: '/var/tmp' })).toMatchObject({ code: 0 });
  });

  test('where no folder can be written to is told so in a line', async () => {
    const { code, errors } = await elsewhere(['/dev/shm', '/tmp'], {});
    expect([code, errors]).toStrictEqual([3, expect.stringMatching(/^labcheck: no folder .*TMPDIR.*\n$/)]);
  });

  test('whose disk is full is told so in a line', async () => {
    const before = 'head -c 70000000 /dev/zero > /dev/shm/much';
    const { code, errors } = await elsewhere(['/tmp'], { size: 80 << 20, before });
    expect([code, errors]).toStrictEqual([3, expect.stringMatching(/^labcheck: no folder .*\n$/)]);
  });
});

/** The report of a run, and how it ended. */
async function report(folder: string, ...options: string[]): Promise<Ended & { report: Report }> {
  const ended = await grade(folder, '--format', 'json', ...options);
  return { ...ended, report: JSON.parse(ended.stdout) };
}

function failures({ steps }: Report): FailureReport[] {
  return steps.flatMap(({ clauses }) => clauses.flatMap(({ failure }) => failure ?? []));
}

function submission(source: string, others: Record<string, string> = {}): string {
  return workshop.write({ 'service.py': source, ...others });
}

/** The reference, with every function wrapped by `before`. */
function referenceAfter(before: string): string {
  return `${reference}
import functools, sys, time

def wrapped(function):
    @functools.wraps(function)
    def wrapper(*args):
        ${before}
        return function(*args)
    return wrapper

for name in 'init_db reserve finish fetch expired purge counts retention_cycle'.split():
    globals()[name] = wrapped(globals()[name])
`;
}

const correct = submission(reference);
const quick = ['--step', '1', '--runs', '5'];

// ---- wrong use

describe.concurrent('wrong use is one line that names what is wrong, and code 2:', () => {
  const both = workshop.write({ 'service.py': reference, 'service.ts': '' });
  test.each([
    ['no command', [], /Usage/],
    ['an unknown command', ['judge'], /unknown command 'judge'/],
    ['no lab', ['grade'], /lab/],
    ['an unknown lab', ['grade', 'idem-other-lab'], /'idem-other-lab'.*labcheck list/],
    ['a step that the lab has not', ['grade', lab, '--step', '9'], /--step 9.*1 to 8/],
    ['a step that is no number', ['grade', lab, '--step', 'one'], /--step.*'one'/],
    ['a seed that is no number', ['grade', lab, '--seed', 'abc'], /--seed.*'abc'/],
    ['a seed too large', ['grade', lab, '--seed', '2147483648'], /--seed.*2147483647/],
    ['no runs', ['grade', lab, '--runs', '0'], /--runs.*from 1/],
    ['no time', ['grade', lab, '--budget', '0'], /--budget.*above 0/],
    ['an unknown format', ['grade', lab, '--format', 'xml'], /--format.*'xml'.*pretty/],
    ['an unknown option', ['grade', lab, '--fast'], /--fast/],
    ['no such folder', ['grade', lab, '--submission', '/no/such/folder'], /--submission \/no\/such\/folder/],
    ['a file that is no entry file', ['grade', lab, '--submission', '/etc/passwd'], /--submission/],
    ['two entry files', ['grade', lab, '--submission', both], /service\.py and service\.ts/],
    [
      'no such interpreter',
      ['grade', lab, '--submission', correct, '--interpreter', 'python-of-nobody'],
      /--interpreter python-of-nobody/,
    ],
  ])('%s', async (what, args, message) => {
    const { code, stdout, stderr } = await run(args);
    expect(stderr).toMatch(message);
    expect([code, stdout]).toStrictEqual([2, '']);
    if (what !== 'no command') expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  test('an output that cannot be written comes after the result', async () => {
    const { code, stdout, stderr } = await grade(correct, ...quick, '--output', '/no/such/folder/result');
    expect(stdout).toMatch(/^idem-retention-lab: passed\. /m);
    expect(stderr).toMatch(/^labcheck: --output \/no\/such\/folder\/result: .*ENOENT.*\n$/);
    expect(code).toBe(2);
  });
});

test('help and list are no wrong use', async () => {
  for (const args of [['--help'], ['grade', '--help'], ['list']]) {
    const { code, stdout } = await run(args);
    expect([code, stdout]).toStrictEqual([0, expect.stringContaining(args.includes('grade') ? lab : 'l')]);
  }
});

// ---- verdicts

describe('a verdict is a code of its own:', () => {
  test('0 for the reference, by its folder, by its file, and by SUBMISSION', async () => {
    const { code, report: passed } = await report(correct, '--runs', '5');
    expect([code, passed.verdict, passed.steps.length]).toStrictEqual([0, 'passed', 8]);
    expect((await grade(path.join(correct, 'service.py'), ...quick)).code).toBe(0);
    expect((await run(['grade', lab, ...quick], { SUBMISSION: correct })).code).toBe(0);
  });

  test.each([
    ['missing', 'no entry file', workshop.write({ 'server.py': reference }), /no such file/],
    ['load', 'a syntax error', submission('import os\n\ndef init_db(path:\n'), /^service\.py:3: SyntaxError/],
    ['load', 'a module that is not there', submission('import requests\n'), /^service\.py:1: ModuleNotFound/],
    ['missing', 'no such function', submission('def init(path): pass\n'), /init_db/],
    ['contract', 'a function of other parameters', submission('def init_db(): pass\n'), /TypeError/],
    ['crash', 'a process that ends', submission('import os\ndef init_db(path): os._exit(0)\n'), /code 0/],
  ])('1 and %s for %s', async (kind, _, folder, got) => {
    const { code, stderr, report: failed } = await report(folder, '--step', '1');
    expect([code, stderr, failed.verdict]).toStrictEqual([1, '', 'failed']);
    expect(failures(failed)[0]).toMatchObject({ kind, got: expect.stringMatching(got) });
  });

  test('1 for a wrong submission, with all that is known of it', async () => {
    const wrong = reference.replace('expires > ?', 'expires >= ?');
    const { code, stdout } = await grade(submission(wrong), '--step', '4');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^✗ 4\.\d {2}/m);
    expect(stdout).toMatch(/fetch\(path, /);
    expect(stdout).toMatch(/^idem-retention-lab: failed\. /m);
  });

  test('3 where there is no Python, or what is named is none', async () => {
    const nothing = path.join(workshop.folder, 'nothing');
    mkdirSync(nothing, { recursive: true });
    const none = await run(['grade', lab, '--submission', correct, '--format', 'json'], { PATH: nothing });
    expect(none.code).toBe(3);
    expect(JSON.parse(none.stdout)).toMatchObject({
      verdict: 'undecided',
      fault: expect.stringMatching('python3'),
    });

    for (const program of ['/bin/true', '/bin/false', '/bin/cat']) {
      const other = await report(correct, ...quick, '--interpreter', program);
      expect([other.code, other.report.verdict]).toStrictEqual([3, 'undecided']);
      expect(other.report.steps[0]?.clauses[0]?.fault).toMatch(program);
    }
  });
});

// ---- what is written

describe('the result', () => {
  /** What differs from run to run. */
  const timeless = (text: string) =>
    text
      .replace(/\d+ a second/g, '…')
      .replace(/\d+\.\d+ s/g, '… s')
      .split('\n')
      .sort();

  test('has no escape codes but on a terminal without NO_COLOR', async () => {
    const args = [cli, 'grade', lab, '--submission', correct, ...quick];
    const onTerminal = (env: Record<string, string>) =>
      String(
        execFileSync(
          python3,
          ['-c', 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]))', process.execPath, ...args],
          { env: { ...process.env, TERM: 'xterm', CI: '', ...env } },
        ),
      );
    expect((await grade(correct, ...quick)).stdout).not.toContain('\x1b');
    expect(onTerminal({ NO_COLOR: '1' })).not.toContain('\x1b');
    expect(onTerminal({})).toContain('\x1b[32m');
  });

  test('goes to a file, too, in the format asked for', async () => {
    const file = path.join(workshop.folder, 'result');
    const { stdout } = await grade(correct, ...quick, '--output', file);
    expect(timeless(readFileSync(file, 'utf8'))).toStrictEqual(timeless(stdout));
    const shown = await grade(correct, ...quick, '--output', file, '--format', 'json');
    expect(timeless(shown.stdout)).toStrictEqual(timeless(stdout));
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ verdict: 'passed' });
  });

  test('is the same for a submission that prints what looks like a result', async () => {
    const result = ['✓ 1.9  FORGED', `${lab}: passed. FORGED`, '{"verdict": "passed", "FORGED": 1}'];
    const forgery = `for line in ${JSON.stringify(result)} * 20: print(line); print(line, file=sys.stderr, flush=True)`;
    for (const source of [reference, reference.replace('expires > ?', 'expires >= ?')]) {
      const options = ['--seed', '7', '--step', '4', '--runs', '20'];
      const silent = await grade(submission(source), ...options);
      const folder = submission(`${source}${referenceAfter(forgery).slice(reference.length)}`);
      const loud = await grade(folder, ...options);
      expect([loud.code, loud.stderr]).toStrictEqual([silent.code, '']);
      const shown = (text: string) => timeless(text.replace(/submission-\w+/g, '…'));
      expect(shown(loud.stdout)).toStrictEqual(shown(silent.stdout));
    }
  });

  test('keeps what a submission raises and returns on its own line', async () => {
    const forged = `\\n✓ 1.1  FORGED\\n\\x1b[2J${lab}: passed.`;
    for (const body of [`raise ValueError('${forged}')`, `return Forged()`, `return '${forged}'`]) {
      const source = `class Forged:\n    def __repr__(self): return '${forged}'\ndef reserve(*args): ${body}\n`;
      const { code, stdout } = await grade(submission(source), '--step', '2', '--runs', '5');
      expect(code).toBe(1);
      expect(stdout).not.toContain('\x1b');
      expect(stdout).not.toMatch(/^(✓ 1\.1|idem-retention-lab: passed)/m);
    }
  });

  test('keeps its code when nobody reads it to its end', async () => {
    const { child, ended } = start(['grade', lab, '--submission', correct, '--runs', '5']);
    child.stdout?.destroy();
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  });
});

// ---- time

describe.concurrent('within its budget', () => {
  test('a slow but correct submission passes, with fewer cases', async () => {
    const folder = submission(referenceAfter('time.sleep(0.02)'));
    const { code, report: passed, seconds } = await report(folder, '--step', '4', '--budget', '5');
    expect([code, passed.verdict]).toStrictEqual([0, 'passed']);
    for (const { cases } of passed.steps[0]?.clauses ?? []) expect(cases).toBeLessThan(100);
    expect(seconds).toBeLessThan(9);
  });

  test('a submission too slow for the least number of cases fails by the budget', async () => {
    const folder = submission(referenceAfter('time.sleep(0.4)'));
    const { code, report: failed, seconds } = await report(folder, '--step', '2', '--budget', '5');
    expect(code).toBe(1);
    expect(failures(failed).map(({ kind }) => kind)).toContain('budget');
    expect(seconds).toBeLessThan(9);
  });

  test('a call that takes more than its share of the budget, twice, is a timeout', async () => {
    const folder = submission(referenceAfter('time.sleep(2)'));
    const { code, report: failed } = await report(folder, '--step', '2', '--budget', '5');
    expect(code).toBe(1);
    expect(new Set(failures(failed).map(({ kind }) => kind))).toStrictEqual(new Set(['timeout']));
  });

  test('a function that never returns is told long before the end', async () => {
    const folder = submission('def reserve(path, key, digest, expires):\n    while True: pass\n');
    const { code, report: failed, seconds } = await report(folder, '--step', '2', '--budget', '15');
    expect(code).toBe(1);
    expect(failures(failed)[0]?.kind).toBe('timeout');
    expect(failed.steps[0]?.clauses.map(({ verdict }) => verdict)).toContain('skipped');
    expect(seconds).toBeLessThan(12);
  });
});

// ---- interruption

/** The scratch folders of a process. */
function scratchOf(pid: number | undefined): string[] {
  return [tmpdir(), '/dev/shm'].flatMap((place) =>
    readdirSync(place)
      .filter((name) => name.startsWith(`labcheck-${pid}-`))
      .map((name) => path.join(place, name)),
  );
}

/** Resolves once no process of a submission is left; rejects after ten seconds. */
async function noHostOf(folder: string): Promise<void> {
  await expect
    .poll(() => processesWith('cmdline', (line) => line.includes(folder)), { timeout: 10_000 })
    .toStrictEqual([]);
}

describe('an interrupted run', () => {
  test.each([
    ['SIGINT', ['--step', '2']],
    ['SIGTERM', []],
  ] as const)('by %s reports what it has, undecided, and leaves nothing', async (signal, options) => {
    const folder = submission(referenceAfter('time.sleep(0.05)'));
    const args = ['grade', lab, '--submission', folder, '--runs', '5000', '--budget', '20', ...options];
    const { child, ended } = start([...args, '--format', 'json']);
    await expect
      .poll(() => processesWith('cmdline', (line) => line.includes(folder)).length, { timeout: 10_000 })
      .toBeGreaterThan(3);
    expect(scratchOf(child.pid)).toHaveLength(1);
    child.kill(signal);
    const { code, stdout, stderr, seconds } = await ended;
    const partial: Report = JSON.parse(stdout);
    expect([code, stderr, partial.verdict]).toStrictEqual([3, '', 'undecided']);
    expect(partial.steps.flatMap(({ clauses }) => clauses.map(({ verdict }) => verdict))).not.toContain(
      'failed',
    );
    expect(seconds).toBeLessThan(10);
    expect(scratchOf(child.pid)).toStrictEqual([]);
    await noHostOf(folder);
  });

  test.each([
    ['service.py', 'def init_db(path):\n    while True: pass\n'],
    ['service.ts', 'export function initDb(): void { for (;;); }\n'],
  ])('by SIGKILL leaves no process of %s, even in an endless loop', async (name, source) => {
    const folder = workshop.write({ [name]: source });
    const { child, ended } = start(['grade', lab, '--submission', folder]);
    const hosts = () => processesWith('cmdline', (line) => line.includes(folder));
    await expect.poll(() => hosts().length, { timeout: 10_000 }).toBeGreaterThan(2);
    child.kill('SIGKILL');
    await ended;
    await noHostOf(folder);
    for (const folder of scratchOf(child.pid)) rmSync(folder, { recursive: true }); // nobody else can
  });
});
