import { constants } from 'node:os';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import type { Language } from '../literal.ts';
import { endSaid } from '../messages/faults.ts';
import { projectFile } from '../project.ts';
import type { Confined, Sandbox } from '../sandbox.ts';
import type { Value } from '../value.ts';
import { commitOnceTheyWait } from './hold.ts';
import { compile } from './node.ts';
import { failureOf } from './python.ts';
import {
  type Call,
  GraderFault,
  type Held,
  type OpenSubject,
  type Outcome,
  type Session,
  type Subject,
  SubjectFailure,
} from './subject.ts';
import { frame, Unframer } from './wire.ts';

/** What a finished run left: its exit code, or the negative number of the signal that ended it, and its output. */
export interface Ended {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Bytes that it printed to its standard output, kept or not. */
  readonly printed: number;
  /** The limit that it broke, if so. */
  readonly breach?: SubjectFailure | undefined;
}

/** A run under way. */
export interface Run {
  /** Resolves once it has started. */
  pid(): Promise<number | undefined>;
  readonly ended: Promise<Ended>;
  kill(): void;
}

/** Starts scripts of one language, each in a process of its own that works in `folder`. */
export interface Runner {
  /** Whether it can start no more. */
  readonly ended: boolean;
  /** Whether processes are left that belong to no run. */
  hasStrays(): boolean;
  start(script: string, args: readonly string[]): Run;
  close(): Promise<void>;
}

/** The program of the host, which its processes read. */
export const scriptHost = projectFile('harness/subject/script_host.py');

/** Bytes of each output that are kept. More on the standard output is a failure by itself. */
const outputCaps = { stdout: 1 << 20, stderr: 1 << 16 };

/** Milliseconds that a host has to end a run. */
const patience = 500;

/** Milliseconds for which output of a run that has ended is still read: something may hold it open for ever. */
const graceForOutput = 100;

/**
 * A submission of scripts: a call's name is the script's, without its extension, its arguments the command line.
 * The value is a dict of `exit`, `stdout` and `stderr`. A script that is not there is `missing`.
 */
export function scriptsSubject(
  folder: string,
  language: Language,
  files: Files,
  openRunner: () => Runner,
): OpenSubject {
  return () => new ScriptsSubject(folder, language, files, openRunner);
}

/** Paths of scripts by the names that calls have for them. */
type Files = Readonly<Record<string, string>>;

class ScriptsSubject implements Subject, Session {
  readonly language: Language;
  readonly processes = Number.POSITIVE_INFINITY;
  readonly sessions = 1;
  readonly numberTypes = 2;
  readonly folder: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly #openRunner: () => Runner;
  #runner: Runner | undefined;

  constructor(folder: string, language: Language, files: Files, openRunner: () => Runner) {
    this.folder = folder;
    this.language = language;
    this.scripts = files;
    this.#openRunner = openRunner;
  }

  /** Every run is alone. */
  begin(): Session {
    return this;
  }

  end(): void {}

  async call(call: Call, limit: number): Promise<Outcome> {
    return outcomeOf(await inTime(this.#start(call), limit));
  }

  async callWhileHeld(
    calls: readonly Call[],
    held: Held,
    patience: number,
    limit: number,
  ): Promise<Outcome[]> {
    const replies = await commitOnceTheyWait(held, patience, () =>
      Promise.all(
        calls.map(async (call) => {
          const run = this.#start(call);
          const reply = inTime(run, limit);
          reply.catch(() => {}); // whoever waits for the lock hears of it
          return { pid: await run.pid(), sleepsBefore: 0, reply };
        }),
      ),
    );
    return (replies as Ended[]).map(outcomeOf);
  }

  async tidy(): Promise<void> {
    if (this.#runner?.hasStrays()) await this.close();
  }

  async close(): Promise<void> {
    await this.#runner?.close();
    this.#runner = undefined;
  }

  #start({ name, args }: Call): Run {
    const script = this.scripts[name];
    if (!script) throw new SubjectFailure('missing', endSaid('noScript', { name }));
    if (!this.#runner || this.#runner.ended) this.#runner = this.#openRunner();
    return this.#runner.start(script, args.map(String));
  }
}

async function inTime(run: Run, limit: number): Promise<Ended> {
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    run.kill();
  }, limit);
  try {
    const ended = await run.ended;
    if (ended.breach) throw ended.breach;
    if (late)
      throw new SubjectFailure('timeout', endSaid('notEndedIn', { seconds: (limit / 1000).toFixed(1) }));
    if (ended.printed > outputCaps.stdout)
      throw new SubjectFailure('output', endSaid('printedOver', { mebi: outputCaps.stdout >> 20 }));
    if (ended.exit === -constants.signals.SIGXCPU) throw failureOf(ended.exit);
    return ended;
  } finally {
    clearTimeout(timer);
  }
}

/** What a call of a script comes to. */
export function outcomeOf({ exit, stdout, stderr }: Omit<Ended, 'printed'>): Outcome {
  const value: Value = new Map<Value, Value>([
    ['exit', BigInt(exit)],
    ['stdout', stdout],
    ['stderr', stderr],
  ]);
  return { status: 'returned', value };
}

/**
 * Python scripts, forked from a host that has the standard library loaded: see script_host.py. `interpreter` is a
 * path that is no shim.
 */
export class PythonRunner implements Runner {
  readonly #control: Duplex;
  readonly #confined: Confined;
  readonly #folder: string;
  readonly #runs = new Map<number, HostedRun>();
  readonly #ended: Promise<void>;
  #count = 0;
  #fault: Error | undefined;

  constructor(interpreter: string, sandbox: Sandbox) {
    this.#folder = sandbox.folder;
    this.#confined = sandbox.start(interpreter, ['-I', '-S', '-X', 'utf8', scriptHost], {
      cwd: sandbox.folder,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      limitMemory: true,
    });
    const { child } = this.#confined;
    this.#control = child.stdio[3] as Duplex;
    let errors = '';
    child.stderr?.on('data', (data: Buffer) => {
      errors = (errors + data.toString()).slice(-2000);
    });
    const unframer = new Unframer();
    this.#control.on('error', () => {}); // 'close' tells
    this.#control.on('data', (data: Buffer) => {
      try {
        for (const message of unframer.push(data)) this.#receive(message as HostMessage);
      } catch {
        this.#confined.kill(); // somebody else has written to the control socket
      }
    });
    this.#ended = new Promise((resolve) => {
      const fail = (failure: Error) => {
        this.#fault = failure;
        for (const run of this.#runs.values()) run.reject(failure);
        this.#runs.clear();
        resolve();
      };
      child.on('error', (error) => fail(new GraderFault(`${interpreter} does not start: ${error.message}`)));
      // A process that got away may hold these open for ever, and 'close' would not come.
      child.on('exit', () => {
        for (const stream of child.stdio.slice(2)) stream?.destroy();
      });
      child.on('close', (code, signal) => {
        const exit = this.#confined.exitOf(code, signal);
        const reason = `${interpreter} ended with ${exit}: ${errors.trim().split('\n').at(-1)}`;
        const fault = exit < 0 ? new SubjectFailure('crash', endSaid('killed')) : new GraderFault(reason);
        fail(this.#confined.breach ?? fault);
      });
    });
  }

  get ended(): boolean {
    return this.#fault !== undefined;
  }

  start(script: string, args: readonly string[]): Run {
    if (this.#fault) throw this.#fault;
    const id = ++this.#count;
    const run = new HostedRun(
      () => this.#end(id),
      (said) => this.#confined.pidOf(said),
    );
    this.#runs.set(id, run);
    this.#control.write(frame(['run', id, script, args, this.#folder]));
    return run;
  }

  hasStrays(): boolean {
    return this.#runs.size === 0 && this.#confined.count() > 0;
  }

  async close(): Promise<void> {
    this.#confined.kill();
    await this.#ended;
  }

  /** A host that a script has stopped does not hear of it. */
  #end(id: number): void {
    this.#control.write(frame(['kill', id]));
    setTimeout(() => {
      if (this.#runs.has(id)) this.#confined.kill();
    }, patience).unref();
  }

  #receive(message: HostMessage): void {
    const run = this.#runs.get(message[1]);
    if (message[0] === 'started') {
      run?.started(message[2]);
    } else {
      const [, id, exit, stdout, stderr, printed] = message;
      this.#runs.delete(id);
      run?.resolve({ exit, stdout: utf8(stdout), stderr: utf8(stderr), printed });
    }
  }
}

type HostMessage =
  | readonly ['started', number, number]
  | readonly ['ended', number, number, string, string, number];

class HostedRun implements Run {
  readonly ended: Promise<Ended>;
  readonly kill: () => void;
  /** Told the id by which the process knows itself. */
  started!: (said: number | undefined) => void;
  resolve!: (ended: Ended) => void;
  reject!: (error: Error) => void;

  readonly #said: Promise<number | undefined>;
  readonly #pidOf: (said: number) => number | undefined;

  constructor(kill: () => void, pidOf: (said: number) => number | undefined) {
    this.kill = kill;
    this.#pidOf = pidOf;
    this.#said = new Promise((resolve) => {
      this.started = resolve;
    });
    this.ended = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = (error) => {
        this.started(undefined);
        reject(error);
      };
    });
    this.ended.catch(() => {}); // whoever runs it awaits it
  }

  async pid(): Promise<number | undefined> {
    const said = await this.#said;
    return said === undefined ? undefined : this.#pidOf(said);
  }
}

function utf8(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('utf8');
}

/** JavaScript or TypeScript scripts, compiled once, each run by a Node of its own. */
export class NodeRunner implements Runner {
  readonly ended = false;
  readonly #sandbox: Sandbox;
  readonly #bundles = new Map<string, string>();
  readonly #runs = new Set<Run>();

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  start(script: string, args: readonly string[]): Run {
    const bundle = this.#bundles.get(script) ?? compile(script, this.#sandbox.folder, { place: script });
    this.#bundles.set(script, bundle);
    const confined = this.#sandbox.start(process.execPath, [bundle, ...args], {
      cwd: this.#sandbox.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      limitMemory: false,
    });
    const { child } = confined;
    const stdout = new Output(outputCaps.stdout);
    const stderr = new Output(outputCaps.stderr);
    child.stdout?.on('data', (data: Buffer) => stdout.add(data));
    child.stderr?.on('data', (data: Buffer) => stderr.add(data));
    const ended = new Promise<Ended>((resolve, reject) => {
      child.on('error', (error) => reject(new GraderFault(`node does not start: ${error.message}`)));
      child.on('exit', () => {
        setTimeout(() => {
          for (const stream of [child.stdout, child.stderr]) stream?.destroy();
        }, graceForOutput).unref();
      });
      child.on('close', (code, signal) => {
        this.#runs.delete(run);
        const exit = confined.exitOf(code, signal);
        const { breach } = confined;
        resolve({ exit, stdout: stdout.text(), stderr: stderr.text(), printed: stdout.printed, breach });
      });
    });
    ended.catch(() => {}); // whoever runs it awaits it
    const run: Run = { pid: () => confined.commandPid(), ended, kill: () => confined.kill() };
    this.#runs.add(run);
    return run;
  }

  /** Each run has a confinement of its own, which ends with it. */
  hasStrays(): boolean {
    return false;
  }

  async close(): Promise<void> {
    for (const run of this.#runs) run.kill();
    await Promise.allSettled([...this.#runs].map((run) => run.ended));
  }
}

/** What a stream printed, up to a cap. */
class Output {
  readonly #parts: Buffer[] = [];
  #room: number;
  printed = 0;

  constructor(cap: number) {
    this.#room = cap;
  }

  add(data: Buffer): void {
    if (this.#room > 0) this.#parts.push(data.subarray(0, this.#room));
    this.#room -= data.length;
    this.printed += data.length;
  }

  text(): string {
    return Buffer.concat(this.#parts).toString('utf8');
  }
}

/** The scripts of a folder by their names, `idem_api` for `idem_api.py` and `idem-api.ts` alike. */
export function scriptName(file: string): string {
  return path.basename(file, path.extname(file)).replaceAll('-', '_');
}
