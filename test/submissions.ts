import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findConfinement } from '../harness/confinement.ts';
import { type Confinement, plain } from '../harness/sandbox.ts';
import { openScratch, type Scratch } from '../harness/scratch.ts';
import { findInterpreter } from '../harness/subject/interpreter.ts';
import {
  type Call,
  Inconclusive,
  type Outcome,
  type Session,
  type Subject,
  SubjectFailure,
} from '../harness/subject/subject.ts';
import { findSubmission, openSubject, type Submission } from '../harness/subject/submission.ts';
import type { Value } from '../harness/value.ts';

/** Files by their path in the submission's folder. */
export type Files = Readonly<Record<string, string>>;

export const python3 = findInterpreter('python3') ?? 'python3';

/** What a learner's submission is confined by on this machine. */
export async function usualConfinement(): Promise<Confinement> {
  const scratch = openScratch();
  const { confinement } = await findConfinement(scratch.folder, python3, python3, 600);
  scratch.remove();
  return confinement;
}

/** Far more than a call takes, however busy the machine. */
export const ample = 20_000;

/** Writes submissions, opens them, and removes all of it. */
export class Workshop {
  readonly #scratch: Scratch = openScratch();
  readonly #confinement: Confinement;
  readonly #subjects: Subject[] = [];

  constructor(confinement = plain) {
    this.#confinement = confinement;
  }

  get folder(): string {
    return this.#scratch.folder;
  }

  /** A new folder with these files. */
  write(files: Files): string {
    const folder = mkdtempSync(path.join(this.#scratch.folder, 'submission-'));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }
    return folder;
  }

  /** A subject of `service.py`, which may have other files beside it. */
  python(source: string, others: Files = {}): Case {
    return this.open(this.write({ 'service.py': source, ...others }));
  }

  /** A subject of the entry file in a folder. */
  open(folder: string): Case {
    const found = findSubmission(folder, 'service');
    if (found.status !== 'found') throw new Error(`the entry file is ${found.status}`);
    const { kind, entry } = found;
    return this.#open(kind === 'python' ? { kind, entry, interpreter: python3 } : { kind, entry });
  }

  /** A subject of a Python file, whatever its name. */
  openFile(entry: string, interpreter: string): Case {
    return this.#open({ kind: 'python', entry, interpreter });
  }

  #open(submission: Submission): Case {
    const work = mkdtempSync(path.join(this.#scratch.folder, 'work-'));
    const subject = openSubject(submission, work, this.#confinement)();
    this.#subjects.push(subject);
    return new Case(subject);
  }

  async close(): Promise<void> {
    await Promise.all(this.#subjects.splice(0).map((subject) => subject.close()));
  }

  async remove(): Promise<void> {
    await this.close();
    this.#scratch.remove();
  }
}

/** Cases of one subject, told briefly. */
export class Case {
  readonly subject: Subject;
  session: Session;

  constructor(subject: Subject) {
    this.subject = subject;
    this.session = subject.begin(false);
  }

  /** The case is over; the next one begins. */
  begin(alone = false): this {
    this.session.end();
    this.session = this.subject.begin(alone);
    return this;
  }

  outcome(name: string, args: readonly Value[] = [], limit = ample, process = 0): Promise<Outcome> {
    const call: Call = { process, name, args };
    return this.session.call(call, limit);
  }

  /** What the call returned; throws an Error that names what it did instead. */
  async value(name: string, args: readonly Value[] = [], process = 0): Promise<Value> {
    const outcome = await this.outcome(name, args, ample, process);
    if (outcome.status === 'returned') return outcome.value;
    throw new Error(`raised ${outcome.chain[0].type}: ${outcome.chain[0].message}`);
  }

  /** How the call ended, in a word: `returned`, `raised ValueError`, `inconclusive`, or the kind of failure. */
  async ending(name: string, limit = ample): Promise<string> {
    try {
      const outcome = await this.outcome(name, [], limit);
      return outcome.status === 'raised' ? `raised ${outcome.chain[0].type}` : outcome.status;
    } catch (error) {
      if (error instanceof SubjectFailure) return error.kind;
      if (error instanceof Inconclusive) return 'inconclusive';
      throw error;
    }
  }

  /** The failure of a call that has no outcome. */
  async failure(name: string, limit = ample): Promise<SubjectFailure> {
    try {
      const outcome = await this.outcome(name, [], limit);
      throw new Error(`the call ${outcome.status}`);
    } catch (error) {
      if (error instanceof SubjectFailure) return error;
      throw error;
    }
  }
}

/** Ids of the processes for which the predicate holds, by the text of a file in their folder of /proc; no zombies. */
export function processesWith(file: 'cmdline' | 'stat', holds: (text: string) => boolean): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && !isZombie(pid) && holds(procFile(pid, file)));
}

/** The members of a process group. */
export function groupMembers(group: number): number[] {
  return processesWith('stat', (stat) => fieldsOf(stat)[2] === String(group));
}

function isZombie(pid: number): boolean {
  return fieldsOf(procFile(pid, 'stat'))[0] === 'Z';
}

/** State, parent, group and so on: what follows the program's name, which may hold anything. */
export function fieldsOf(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

export function procFile(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return ''; // it has ended
  }
}
