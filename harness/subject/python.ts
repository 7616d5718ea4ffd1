import { constants } from 'node:os';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { endSaid } from '../messages/faults.ts';
import { projectFile } from '../project.ts';
import type { Confined, Sandbox } from '../sandbox.ts';
import { Channel } from './channel.ts';
import { ChildSubject, type Host } from './child.ts';
import { GraderFault, type OpenSubject, SubjectFailure } from './subject.ts';
import { Unframer } from './wire.ts';

/** The program of the host, which its processes read. */
export const pythonHost = projectFile('harness/subject/host.py');

const processes = 2;
/** Descriptors of the control socket and of the first slot, as host.py has them. */
const control = 3;
const firstSlot = 4;

/**
 * A Python submission. `entry` is its file, `interpreter` the Python that runs it, by a path that is no shim.
 * One host process a subject preloads what it needs and forks the processes of the cases.
 */
export function pythonSubject(entry: string, interpreter: string, sandbox: Sandbox): OpenSubject {
  return () => new ChildSubject('python', processes, () => new PythonHost(entry, interpreter, sandbox));
}

class PythonHost implements Host {
  readonly #channels: Channel[] = [];
  readonly #confined: Confined;
  readonly #ended: Promise<void>;
  /** How many children of a slot were told to leave and have not ended yet. */
  readonly #leaving = new Array<number>(processes).fill(0);
  #errors = '';
  #killed = false;
  fault: GraderFault | undefined;

  constructor(entry: string, interpreter: string, sandbox: Sandbox) {
    const args = ['-I', '-S', '-X', 'utf8', pythonHost, entry, String(processes)];
    this.#confined = sandbox.start(interpreter, args, {
      cwd: path.dirname(entry), // where learners work
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', ...new Array<'pipe'>(processes).fill('pipe')],
      limitMemory: true,
    });
    const { child } = this.#confined;
    for (let slot = 0; slot < processes; slot++) {
      this.#channels.push(new Channel(child.stdio[firstSlot + slot] as Duplex));
    }
    this.#watch(child.stdio[control] as Duplex);
    child.stderr?.on('data', (data: Buffer) => {
      this.#errors = (this.#errors + data.toString()).slice(-2000);
    });
    this.#ended = new Promise((resolve) => {
      child.on('error', (error) => {
        this.fault = new GraderFault(`${interpreter} does not start: ${error.message}`);
        this.#fail('the interpreter did not start');
        resolve();
      });
      // A process that got away from the group may hold these open for ever, and 'close' would not come.
      child.on('exit', () => {
        for (const stream of child.stdio.slice(control)) stream?.destroy();
      });
      child.on('close', (code, signal) => {
        // The host runs nothing of the submission: an exit of its own accord is the grader's fault.
        const exit = this.#confined.exitOf(code, signal);
        if (!this.#killed && !this.#confined.breach && exit >= 0) {
          const lastLine = this.#errors.trim().split('\n').at(-1) || 'is it a Python 3?';
          this.fault = new GraderFault(`${interpreter} ended with exit code ${exit}: ${lastLine}`);
        }
        this.#fail('the process was killed');
        resolve();
      });
    });
  }

  channel(process: number): Channel {
    const channel = this.#channels[process];
    if (!channel) throw new RangeError(`process ${process} of ${processes}`);
    return channel;
  }

  renew(process: number): void {
    this.#leaving[process] = (this.#leaving[process] ?? 0) + 1;
    this.channel(process).tell(['leave']);
  }

  pid(_process: number, said: number): number | undefined {
    return this.#confined.pidOf(said);
  }

  hasStrays(): boolean {
    return this.#confined.count() > processes;
  }

  async kill(): Promise<void> {
    this.#killed = true;
    this.#confined.kill();
    await this.#ended;
  }

  /** A child that ends without having been told to is a crash of its case. */
  #watch(stream: Duplex): void {
    const unframer = new Unframer();
    stream.on('error', () => {}); // 'close' of the host tells
    stream.on('data', (data: Buffer) => {
      try {
        for (const message of unframer.push(data)) this.#childEnded(message as [string, number, number]);
      } catch {
        this.#fail('somebody else has written to the control socket');
        this.#confined.kill();
      }
    });
  }

  #childEnded([, slot, status]: readonly [string, number, number]): void {
    const leaving = this.#leaving[slot] ?? 0;
    if (leaving > 0) this.#leaving[slot] = leaving - 1;
    else this.channel(slot).fail(this.#confined.breach ?? failureOf(status));
  }

  #fail(detail: string): void {
    const failure = this.#confined.breach ?? new SubjectFailure('crash', detail);
    for (const channel of this.#channels) channel.fail(failure);
  }
}

/** What the end of a process by its exit code, or (negative) by a signal, is. */
export function failureOf(status: number): SubjectFailure {
  if (-status === constants.signals.SIGXCPU) return new SubjectFailure('timeout', endSaid('processorTime'));
  const how = status < 0 ? endSaid('killedBy', { signal: -status }) : endSaid('exited', { code: status });
  return new SubjectFailure('crash', how);
}
