import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { functionName } from '../literal.ts';
import { endSaid } from '../messages/faults.ts';
import { sqliteModule } from '../project.ts';
import { isDict, isList, Opaque, type Value, withOneNumberType } from '../value.ts';
import { outcomeOf } from './scripts.ts';
import {
  type Call,
  GraderFault,
  type Held,
  Inconclusive,
  type OpenSubject,
  type Outcome,
  type Raised,
  type Session,
  type Subject,
  SubjectFailure,
} from './subject.ts';

/**
 * A TypeScript module in this process: for code that is trusted, such as the references and their mutants, and for
 * tools that have to see it run. It has one process, and its calls have no time limit.
 */
export function moduleSubject(module: object): OpenSubject {
  return () => new ModuleSubject(module as Readonly<Record<string, unknown>>);
}

class ModuleSubject implements Subject, Session {
  readonly language = 'javascript';
  readonly processes = 1;
  readonly sessions = 1;
  readonly numberTypes = 1;
  readonly #module: Readonly<Record<string, unknown>>;

  constructor(module: Readonly<Record<string, unknown>>) {
    this.#module = module;
  }

  begin(): Session {
    return this;
  }

  end(): void {}

  async call({ name, args }: Call): Promise<Outcome> {
    const exported = this.#module[functionName(name, this.language)];
    if (typeof exported !== 'function') throw new SubjectFailure('missing', endSaid('noFunction', { name }));
    try {
      return { status: 'returned', value: fromNative(await exported(...args.map(toNative))) };
    } catch (error) {
      return { status: 'raised', chain: raisedChain(error) };
    }
  }

  async callWhileHeld([call, another]: readonly Call[], held: Held, patience: number): Promise<Outcome[]> {
    if (!call || another) throw new GraderFault('a module in this process makes one call at a time');
    const holder = new LockHolder(held, patience);
    await holder.hold();
    holder.callBegins();
    const outcome = await this.call(call);
    await holder.committed();
    return [outcome];
  }

  async tidy(): Promise<void> {}

  async close(): Promise<void> {}
}

/** A script's main function, as trusted TypeScript has it. */
export type Main = (argv: readonly string[]) => Left | Promise<Left>;

/** What a script leaves behind. */
interface Left {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Scripts whose main functions are called in this process; `folder` has the files that they made. `missedSameMoment`
 * is told when calls that are meant to be at the same moment are made one after the other.
 */
export function moduleScriptsSubject(
  mains: Readonly<Record<string, Main>>,
  folder: string,
  missedSameMoment: () => void = () => {},
): OpenSubject {
  return () => new ModuleScriptsSubject(mains, folder, missedSameMoment);
}

class ModuleScriptsSubject implements Subject, Session {
  readonly language = 'javascript';
  readonly processes = 1;
  readonly sessions = 1;
  readonly numberTypes = 2;
  readonly folder: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly #mains: Readonly<Record<string, Main>>;
  readonly #missedSameMoment: () => void;

  constructor(mains: Readonly<Record<string, Main>>, folder: string, missedSameMoment: () => void) {
    this.#mains = mains;
    this.#missedSameMoment = missedSameMoment;
    this.folder = folder;
    this.scripts = Object.fromEntries(Object.keys(mains).map((name) => [name, name]));
  }

  begin(): Session {
    return this;
  }

  end(): void {}

  async call({ name, args }: Call): Promise<Outcome> {
    const main = this.#mains[name];
    if (!main) throw new SubjectFailure('missing', endSaid('noScript', { name }));
    const { exitCode, stdout, stderr } = await main(args.map(String));
    return outcomeOf({ exit: exitCode, stdout, stderr });
  }

  /** In one process there is no same moment: the first call waits for the lock, the others for the first. */
  async callWhileHeld(calls: readonly Call[], held: Held, patience: number): Promise<Outcome[]> {
    if (calls.length > 1) this.#missedSameMoment();
    const holder = new LockHolder(held, patience);
    await holder.hold();
    holder.callBegins();
    const outcomes: Outcome[] = [];
    for (const call of calls) outcomes.push(await this.call(call));
    await holder.committed();
    return outcomes;
  }

  async tidy(): Promise<void> {}

  async close(): Promise<void> {}
}

/** Milliseconds from the call's beginning to the commit: it reads in less. */
const shortestHold = 20;
const patienceStep = 25;

/** A thread with a connection of its own: a call that waits for a lock in this thread stops all else in it. */
class LockHolder {
  readonly #thread: Worker;
  readonly #ended: Promise<unknown[]>;
  /** 1 once the call begins: other work in this thread may come between the lock and the call. */
  readonly #begun = new Int32Array(new SharedArrayBuffer(4));

  constructor(held: Held, patience: number) {
    const milliseconds = shortestHold + patience * patienceStep;
    const statements = held.statements.map(({ sql, parameters }) => ({
      sql,
      parameters: parameters.map(toNative),
    }));
    const workerData = {
      sqlite: sqliteModule(),
      database: held.database,
      statements,
      milliseconds,
      begun: this.#begun,
    };
    this.#thread = new Worker(holdAndCommit, { eval: true, workerData });
    this.#ended = once(this.#thread, 'exit');
  }

  async hold(): Promise<void> {
    const [message] = await once(this.#thread, 'message');
    if (message !== 'held') throw new GraderFault(String(message));
  }

  /** To be said right before the call, in the same turn. */
  callBegins(): void {
    Atomics.store(this.#begun, 0, 1);
    Atomics.notify(this.#begun, 0);
  }

  async committed(): Promise<void> {
    const [code] = await this.#ended;
    if (code !== 0) throw new Inconclusive('the database stays busy');
  }
}

const holdAndCommit = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { sqlite, database, statements, milliseconds, begun } = workerData;
  const db = new (require(sqlite))(database, { timeout: 0 });
  const pause = (time) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, time);
  db.exec('BEGIN IMMEDIATE');
  parentPort.postMessage('held');
  Atomics.wait(begun, 0, 0);
  pause(milliseconds);
  for (const { sql, parameters } of statements) db.prepare(sql).run(parameters);
  for (let attempt = 0; ; attempt++) {
    try {
      db.exec('COMMIT');
      break;
    } catch (error) {
      if (attempt === 60) process.exit(1);
      pause(1);
    }
  }
  db.close();
`;

function toNative(value: Value): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (isList(value)) return value.map(toNative);
  if (isDict(value)) return Object.fromEntries([...value].map(([key, item]) => [key, toNative(item)]));
  return value;
}

function fromNative(value: unknown): Value {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number') return withOneNumberType(value);
  if (typeof value === 'boolean' || typeof value === 'string' || typeof value === 'bigint') return value;
  if (Array.isArray(value)) return value.map(fromNative);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) {
    return new Map(Object.entries(value).map(([key, item]) => [key, fromNative(item)]));
  }
  return new Opaque(typeof value, String(value));
}

function raisedChain(error: unknown): readonly [Raised, ...Raised[]] {
  const { name, message, code } = error as { name?: string; message?: string; code?: string };
  const busy = typeof code === 'string' && /^SQLITE_(BUSY|LOCKED)/.test(code);
  return [
    { type: String(name), bases: [String(name)], message: String(message), code: busy ? 5 : null, at: null },
  ];
}
