import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectFile } from '../harness/project.ts';
import { labs } from '../harness/registry.ts';
import { python3, Workshop } from './submissions.ts';

/* `labcheck worksheet`, run as its users run it: without a terminal, and at one. */

const lab = 'idem-retention-lab';
const build = projectFile(`node_modules/.cache/worksheet-${process.pid}`);
const cli = path.join(build, 'cli.js');
const reference = readFileSync(projectFile(`reference/${lab}/service.py`), 'utf8');
const workshop = new Workshop();

beforeAll(() => {
  buildSync({
    ...{ entryPoints: [projectFile('harness/cli.ts')], outdir: build, bundle: true, splitting: true },
    ...{ format: 'esm', platform: 'node', external: ['better-sqlite3', 'esbuild', 'tmp-promise'] },
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
  });
});
afterAll(async () => {
  await workshop.remove();
  rmSync(build, { recursive: true });
});

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(command: string, args: readonly string[]): Promise<Ended> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (data) => {
    stdout += data;
  });
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
}

const worksheet = (...args: string[]) => run(process.execPath, [cli, 'worksheet', ...args]);

const submission = (source: string, name = 'service.py') => workshop.write({ [name]: source });

describe.concurrent('without a terminal', () => {
  test('only the questions are told, and how to get the answers', async () => {
    const { code, stdout } = await worksheet(lab);
    expect(code).toBe(0);
    expect(stdout.match(/^Step \d/gm)).toHaveLength(8);
    expect(stdout).toContain('--reveal');
    expect(stdout).not.toContain('OperationalError');
  });

  test('--reveal tells the clause, the smallest counterexample, and the state after it', async () => {
    const { code, stdout } = await worksheet(lab, '--step', '6', '--reveal');
    expect(code).toBe(0);
    for (const line of [
      '-         ids = [row[0] for row in db.execute(EXPIRED, (now, limit))]',
      "    ('a', 'f', 'pending', None, 10)",
      "    purge(path, 10, 100) -> ['a']",
      '  the state after it\n    (empty)',
    ]) {
      expect(stdout).toContain(line);
    }
    expect(stdout).toMatch(/✗ 6\.1/);
  });

  test('scripts are called by their names, and what they left is that of the case told', async () => {
    const { stdout } = await worksheet('idem-transfer-lab', '--step', '3', '--reveal');
    expect(stdout).toContain('    python3 idem_api.py --db bank.db --request request-1.json\n');
    const [told = '', left = ''] = stdout.split('the state after it');
    const transfer = /tr_[0-9a-f]+/.exec(told)?.[0];
    expect(transfer).toBeDefined();
    expect(left).toContain(transfer);
  });

  test.each(['ja', 'ko', 'zh'])('in %s no sentence of ours is English', async (tongue) => {
    const { code, stdout } = await worksheet(lab, '--step', '3,6', '--reveal', '--lang', tongue);
    expect(code).toBe(0);
    expect(stdout).toMatch(/[\p{scx=Han}\p{scx=Hangul}]/u);
    const sentences = stdout.split('\n').filter((line) => /^\s*[A-Z][a-z]+ [a-z]+ [a-z]+ [a-z]+/.test(line));
    expect(sentences).toEqual([]);
  });

  test.each(labs.map(({ id, steps }) => [id, steps.length] as const))(
    'every step of %s has its question',
    async (id, count) => {
      const { stdout } = await worksheet(id);
      expect(stdout.match(/^ {2}a change /gm)?.length).toBeGreaterThanOrEqual(count);
    },
  );
});

describe.concurrent('with --submission', () => {
  const own = reference.replace('"""Idempotency keys', '\n\n"""Idempotency keys'); // two lines further down

  test("the fragment is put into the learner's own code", async () => {
    const { stdout } = await worksheet(lab, '--step', '4', '--reveal', '--submission', submission(own));
    expect(stdout).toContain('service.py:78');
    expect(stdout).not.toContain('Shown in the reference');
    expect(stdout).toMatch(/✗ 4\.2/);
  });

  test.each([
    ['has no such place', own.replace('AND expires > ?', 'AND ? < expires')],
    ['has the place twice', `${own}\nOTHER = "AND expires > ?"\n`],
    ['does not pass the step itself', own.replace('json.loads(row[0])', 'row[0]')],
  ])('code that %s is left alone: the reference takes its place, and a line says so', async (_, source) => {
    const { code, stdout } = await worksheet(
      lab,
      '--step',
      '4',
      '--reveal',
      '--submission',
      submission(source),
    );
    expect(code).toBe(0);
    expect(stdout.match(/^Shown in the reference: .+$/gm)).toHaveLength(1);
    expect(stdout).toContain('service.py:76');
    expect(stdout).toMatch(/✗ 4\.2/);
  });

  test('code in TypeScript is asked about in TypeScript', async () => {
    const source = readFileSync(projectFile(`reference/${lab}/service.ts`), 'utf8');
    const folder = submission(source, 'service.ts');
    const { stdout } = await worksheet(lab, '--step', '4', '--reveal', '--submission', folder);
    expect(stdout).toContain('service.ts:');
    expect(stdout).toContain("fetch(path, 'a', 10) -> {");
  });

  test('a change that makes no difference there is said to make none', async () => {
    const guarded = own.replace(
      'return None if row is None else json.loads(row[0])',
      `due = db.execute("SELECT expires <= ? FROM keys WHERE id = ?", (now, key)).fetchone()
        return None if row is None or due[0] else json.loads(row[0])`,
    );
    const { code, stdout } = await worksheet(
      lab,
      '--step',
      '4',
      '--reveal',
      '--submission',
      submission(guarded),
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/\d+ cases show no difference/);
  });
});

describe.concurrent('wrong use is one line, and code 2:', () => {
  test.each([
    ['a lab that there is not', ['no-such-lab'], 'no-such-lab'],
    ['a step that there is not', [lab, '--step', '9'], '--step 9'],
    ['a folder that there is not', [lab, '--submission', '/no/such'], '--submission /no/such'],
    ['a folder without an entry file', [lab, '--submission', workshop.write({})], 'no entry file'],
    ['a Python that there is not', [lab, '--interpreter', 'no-such-python'], 'no-such-python'],
  ])('%s', async (_, args, named) => {
    const { code, stdout, stderr } = await worksheet(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain(named);
  });
});

describe('at a terminal', () => {
  /** Gives a line to each prompt, then ends the input; prints all that the terminal showed. */
  const atTerminal = `
import os, pty, sys
lines = sys.argv[1].encode().split(b'|')
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[2], sys.argv[2:])
shown, prompts = b'', 0
while True:
    try:
        data = os.read(terminal, 4096)
    except OSError:
        break
    if not data:
        break
    shown += data
    while shown.count(b'press Enter:') > prompts:
        os.write(terminal, lines[prompts] + b'\\n' if prompts < len(lines) else b'\\x04')
        prompts += 1
sys.stdout.buffer.write(shown)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

  test('each answer waits for Enter, and the end of the input is the end', async () => {
    const args = [process.execPath, cli, 'worksheet', lab, '--step', '4,5,6'];
    const { code, stdout } = await run(python3, ['-c', atTerminal, 'at the boundary', ...args]);
    expect(code).toBe(0);
    const [before = '', after = '', ...rest] = stdout.split('press Enter:');
    expect(before).toContain('Step 4');
    expect(before).not.toContain('fetch(path');
    expect(after).toContain("fetch(path, 'a', 10)");
    expect(after).toContain('Step 5');
    expect(rest.join('')).not.toContain('expired(path');
  });
});
