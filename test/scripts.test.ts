import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Confinement, plain, Sandbox } from '../harness/sandbox.ts';
import { openScratch } from '../harness/scratch.ts';
import { findInterpreter } from '../harness/subject/interpreter.ts';
import { type Ended, PythonRunner, scriptHost } from '../harness/subject/scripts.ts';
import { usualConfinement } from './submissions.ts';

/*
 * A script that is forked from a host which has the standard library loaded, beside the same script started by the
 * interpreter itself: same output, same exit code, same effect.
 */

const scratch = openScratch();
const interpreter = findInterpreter('python3') ?? 'python3';
const home = path.join(scratch.folder, 'scripts');
mkdirSync(home);

const beside = 'NAME = __name__\ndef fail():\n    raise KeyError("beside")\n';
writeFileSync(path.join(home, 'beside.py'), beside);
const sandboxed = await usualConfinement();

let runner: PythonRunner;
function beginIn(confinement: Confinement): void {
  beforeAll(() => {
    const view = { submission: home, programs: [interpreter], files: [scriptHost] };
    runner = new PythonRunner(interpreter, new Sandbox(confinement, scratch.folder, view));
  });
  afterAll(() => runner.close());
}
afterAll(() => scratch.remove());

const scripts: Readonly<Record<string, string>> = {
  'prints its arguments, its place and its name':
    'import sys, os\nprint(sys.argv[1:], os.path.basename(sys.argv[0]), sys.path[0], os.getcwd(), __name__, __file__)',
  'prints to both outputs':
    'import sys\nprint("out")\nprint("err", file=sys.stderr)\nsys.stdout.write("no newline")',
  'prints what is not ASCII': 'print("계좌 é \\U0001f98a")\nimport sys\nsys.stdout.buffer.write(b"\\xff\\n")',
  'reads standard input': 'import sys\nprint(repr(sys.stdin.read()))',
  'prints nothing': '',
  raises: 'def f(n):\n    if n: f(n - 1)\n    raise ValueError("bad é")\nf(2)',
  'raises from another':
    'try:\n    1 / 0\nexcept ZeroDivisionError as error:\n    raise RuntimeError("late") from error',
  'raises while handling': 'try:\n    {}["x"]\nexcept KeyError:\n    int("y")',
  'raises in a module beside it': 'import beside\nprint(beside.NAME)\nbeside.fail()',
  'raises a class of its own': 'class Mine(Exception):\n    pass\nraise Mine("m")',
  'raises a group': 'raise ExceptionGroup("g", [ValueError(1), TypeError(2)])',
  'has a syntax error': 'x = 1\nif x\n    pass\n',
  'has a syntax error in a module it imports':
    'open("broken_one.py", "w").write("def (:")\nimport sys\nsys.path.insert(0, ".")\nimport broken_one',
  'imports what is not there': 'import no_such_module',
  'exits with 0': 'import sys\nsys.exit(0)',
  'exits with 3': 'import sys\nprint("x")\nsys.exit(3)',
  'exits with 300': 'import sys\nsys.exit(300)',
  'exits with -1': 'import sys\nsys.exit(-1)',
  'exits with None': 'import sys\nsys.exit(None)',
  'exits with a text': 'import sys\nsys.exit("good bye é")',
  'exits with a float': 'raise SystemExit(1.5)',
  'exits with a tuple': 'raise SystemExit(1, 2)',
  'exits with True': 'raise SystemExit(True)',
  'exits by the name of the shell': 'exit(4)',
  'exits in finally': 'import sys\ntry:\n    sys.exit(5)\nfinally:\n    print("finally")',
  'exits at once': 'import os\nprint("lost", end="")\nos._exit(6)',
  'flushes and exits at once': 'import os\nprint("kept", flush=True)\nos._exit(7)',
  'is killed': 'import os, signal\nos.kill(os.getpid(), signal.SIGKILL)',
  'is terminated': 'import os, signal\nos.kill(os.getpid(), signal.SIGTERM)',
  aborts: 'import os\nos.abort()',
  'is interrupted': 'raise KeyboardInterrupt',
  'has something to do at its end': 'import atexit\natexit.register(print, "at exit")\nprint("before")',
  'waits for its threads':
    'import threading, time\nthreading.Thread(target=lambda: (time.sleep(0.05), print("thread"))).start()',
  'has a hook of its own':
    'import sys\nsys.excepthook = lambda kind, *_: print("hook", kind.__name__)\nraise ValueError',
  warns: 'import warnings\nwarnings.warn("careful")',
  'has globals of its own':
    'print(sorted(name for name in globals() if not name.startswith("_")))\nprint(__doc__, __package__, __spec__)',
  'is the main module':
    'import __main__\nVALUE = 1\nprint(__main__.VALUE)\nif __name__ == "__main__":\n    print("main")',
  'parses its arguments':
    'import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument("--db", required=True)\nparser.parse_args()',
  'uses dataclasses': 'from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\nprint(P(1))',
  pickles: 'import pickle\nclass C: pass\nprint(type(pickle.loads(pickle.dumps(C()))).__module__)',
  'starts a process':
    'import subprocess, sys\nprint(subprocess.run([sys.executable, "-c", "print(1)"], capture_output=True, text=True).stdout)',
  'uses a pool':
    'from concurrent.futures import ThreadPoolExecutor\nprint(list(ThreadPoolExecutor(2).map(abs, [-1, -2])))',
  'writes a database':
    'import sqlite3, os\ndb = sqlite3.connect("made.db")\ndb.execute("CREATE TABLE IF NOT EXISTS t(x)")\nprint(db.execute("SELECT count(*) FROM t").fetchone())\nos.remove("made.db")',
  'recurses too deep':
    'import sys\ndef f(): f()\ntry:\n    f()\nexcept RecursionError as error:\n    print(type(error).__name__, sys.getrecursionlimit())',
};

async function forked(script: string, args: readonly string[]): Promise<Ended> {
  return runner.start(script, args).ended;
}

function started(script: string, args: readonly string[]): Ended {
  const { status, signal, stdout, stderr } = spawnSync(interpreter, [script, ...args], {
    cwd: scratch.folder,
    env: { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', PYTHONUTF8: '1' },
    input: '',
  });
  const signals: Record<string, number> = { SIGKILL: -9, SIGTERM: -15, SIGABRT: -6, SIGINT: -2 };
  const exit = status ?? signals[signal ?? ''] ?? Number.NaN;
  return { exit, stdout: stdout.toString(), stderr: stderr.toString(), printed: stdout.length };
}

describe.each([plain, sandboxed])(
  'a script forked from the host ($isolation) is the one started by the interpreter',
  (each) => {
    beginIn(each);

    for (const [index, [title, source]] of Object.entries(scripts).entries()) {
      test(`that ${title}`, async () => {
        const script = path.join(home, `script_${index}.py`);
        writeFileSync(script, source);
        const args = ['--flag', 'two words', 'é'];
        expect(await forked(script, args)).toEqual(started(script, args));
      });
    }

    test('that is not there', async () => {
      const script = path.join(home, 'no_such_script.py');
      expect(await forked(script, [])).toEqual(started(script, []));
    });
  },
);

describe('a run', () => {
  beginIn(plain);

  const run = (name: string, source: string, args: readonly string[] = []) => {
    const script = path.join(home, `${name}.py`);
    writeFileSync(script, source);
    return runner.start(script, args);
  };

  test('that prints without end has its output cut, and goes on', async () => {
    const { exit, stdout, stderr } = await run('floods', 'import sys\nprint("x" * 100_000_000)\nsys.exit(9)')
      .ended;
    expect([exit, stdout.length, stderr]).toEqual([9, 1 << 20, '']);
  });

  test('that never ends is killed, and so is what it started', async () => {
    const file = path.join(scratch.folder, 'grandchild');
    const source = `import subprocess, sys, time\nchild = subprocess.Popen(["sleep", "600"])\nopen(${JSON.stringify(file)}, "w").write(str(child.pid))\nwhile True: time.sleep(1)`;
    const endless = run('endless', source);
    await expect.poll(() => readPid(file), { timeout: 5_000 }).toBeGreaterThan(0);
    endless.kill();
    expect((await endless.ended).exit).toBe(-9);
    await expect.poll(() => isAlive(readPid(file)), { timeout: 5_000 }).toBe(false);
  });

  test('that leaves a process with its output open does not keep the others waiting', async () => {
    const left = await run('leaves', 'import subprocess\nsubprocess.Popen(["sleep", "600"])\nprint("done")')
      .ended;
    expect([left.exit, left.stdout]).toEqual([0, 'done\n']);
  });

  test('runs beside others, and each has its own output', async () => {
    const source = 'import sys, time\ntime.sleep(0.2)\nprint(sys.argv[1])';
    const runs = Array.from({ length: 5 }, (_, n) => run('beside_others', source, [String(n)]).ended);
    expect((await Promise.all(runs)).map(({ stdout }) => stdout.trim())).toEqual(['0', '1', '2', '3', '4']);
  });

  test('sees the file as it is now, not as it was cached', async () => {
    writeFileSync(path.join(home, 'changing.py'), 'VALUE = 1\n');
    expect((await run('importer', 'import changing\nprint(changing.VALUE)').ended).stdout).toBe('1\n');
    writeFileSync(path.join(home, 'changing.py'), 'VALUE = 2\n');
    expect((await run('importer', 'import changing\nprint(changing.VALUE)').ended).stdout).toBe('2\n');
  });
});

function readPid(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return 0;
  }
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
