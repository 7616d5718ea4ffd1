import { functionName, type Language } from '../literal.ts';
import { endSaid } from '../messages/faults.ts';
import { withOneNumberType } from '../value.ts';
import type { Channel } from './channel.ts';
import { commitOnceTheyWait, sleepsOf } from './hold.ts';
import {
  type Call,
  type GraderFault,
  type Held,
  Inconclusive,
  type Outcome,
  type Session,
  type Subject,
  SubjectFailure,
} from './subject.ts';
import { decodeLoaded, decodeOutcome, encode, ProtocolError } from './wire.ts';

/** The processes that serve a subject's calls. A host that has failed is not used again. */
export interface Host {
  channel(process: number): Channel;
  /** Puts a process that has run nothing in the place of this one. */
  renew(process: number): void;
  /** The process's id in our own namespace, of the id that it says it has. */
  pid(process: number, said: number): number | undefined;
  kill(): Promise<void>;
  /** Whether there are more processes than it serves calls by. */
  hasStrays(): boolean;
  /** Why the host itself did not work, once it is known. */
  readonly fault: GraderFault | undefined;
}

/** Cases that are under way at once: to wake a process for each call alone costs more than all the rest. */
const sessions = 8;

/** A subject in other processes; what differs between languages is their {@link Host}. */
export class ChildSubject implements Subject {
  readonly language: Language;
  readonly processes: number;
  readonly sessions = sessions;
  readonly numberTypes: 1 | 2;
  readonly #hosts: Hosts;

  constructor(language: Language, processes: number, start: () => Host) {
    this.language = language;
    this.processes = processes;
    this.numberTypes = language === 'python' ? 2 : 1;
    this.#hosts = new Hosts(start);
  }

  begin(alone: boolean): Session {
    return new ChildSession(this.language, this.#hosts, alone);
  }

  tidy(): Promise<void> {
    return this.#hosts.tidy();
  }

  close(): Promise<void> {
    return this.#hosts.close();
  }
}

/** The host that serves a subject now. One that fails, or does not answer in time, is killed: the next session starts another. */
class Hosts {
  readonly #start: () => Host;
  #host: Host | undefined;
  #closed: Host | undefined;
  readonly #underWay = new Set<Promise<unknown>>();
  /** Processes that have loaded something, and those of them whose place others have to take. */
  readonly #used = new Set<number>();
  readonly #stale = new Set<number>();
  #count = 0;
  #ended: number[] = [];

  constructor(start: () => Host) {
    this.#start = start;
  }

  /** The number of a new session; `renew` gives it, and those after it, new processes. */
  begin(renew: boolean): number {
    if (renew) {
      for (const process of this.#used) this.#stale.add(process);
      this.#used.clear();
    }
    this.#count += 1;
    return this.#count;
  }

  running(): Host {
    if (!this.#host) {
      this.#host = this.#start();
      this.#used.clear();
      this.#stale.clear();
      this.#ended = [];
    }
    return this.#host;
  }

  /** Resolves when no call is under way: calls that a session made ahead may outlast it. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }

  /** Asks a process, or a new one in its place, for the modules of a session. */
  load(host: Host, process: number, session: number): Promise<unknown> {
    if (this.#stale.delete(process)) host.renew(process);
    this.#used.add(process);
    return host.channel(process).request(['load', session, this.#ended.splice(0)]);
  }

  /** The modules of this session go when others are asked for. */
  end(session: number): void {
    this.#ended.push(session);
  }

  /** What `work` resolves to within `limit` milliseconds, the host's failure otherwise. */
  within<T>(host: Host, limit: number, work: Promise<T>): Promise<T> {
    const call = this.#inTime(host, limit, work).finally(() => this.#underWay.delete(call));
    this.#underWay.add(call);
    return call;
  }

  /** The next session starts another host where this one has more processes than its own. */
  async tidy(): Promise<void> {
    await this.idle();
    const host = this.#host;
    if (!host?.hasStrays()) return;
    this.#host = undefined;
    await host.kill();
  }

  async close(): Promise<void> {
    this.#closed = this.#host;
    this.#host = undefined;
    await this.#closed?.kill();
  }

  async #inTime<T>(host: Host, limit: number, work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const detail = endSaid('noAnswerIn', { seconds: (limit / 1000).toFixed(1) });
      timer = setTimeout(() => reject(new SubjectFailure('timeout', detail)), limit);
    });
    work.catch(() => {}); // it fails, too, when the host is killed
    try {
      return await Promise.race([work, late]);
    } catch (error) {
      const failure =
        error instanceof ProtocolError
          ? new SubjectFailure('crash', endSaid('sent', { what: error.message }))
          : error;
      if (leavesHostAlive(failure)) throw failure;
      if (host === this.#closed) throw new Inconclusive('closed while the call was under way');
      if (this.#host === host) this.#host = undefined;
      await host.kill();
      throw host.fault ?? failure;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Whether the host answered all that it was asked. */
function leavesHostAlive(error: unknown): boolean {
  if (error instanceof SubjectFailure) return error.kind === 'missing' || error.kind === 'load';
  return error instanceof Inconclusive;
}

type Loading = Promise<{ pid: number }>;

class ChildSession implements Session {
  readonly #language: Language;
  readonly #hosts: Hosts;
  readonly #number: number;
  readonly #alone: boolean;
  #host: Host | undefined;
  readonly #loading: (Loading | undefined)[] = [];

  constructor(language: Language, hosts: Hosts, alone: boolean) {
    this.#language = language;
    this.#hosts = hosts;
    this.#number = hosts.begin(alone);
    this.#alone = alone;
  }

  async call(call: Call, limit: number): Promise<Outcome> {
    if (this.#alone && !this.#host) await this.#hosts.idle();
    const host = this.#running();
    const loaded = this.#loaded(host, call.process);
    const reply = this.#request(host, call);
    const outcome = Promise.all([loaded, reply]).then(([, reply]) => this.#outcome(call, reply));
    return this.#hosts.within(host, limit, outcome);
  }

  async callWhileHeld(
    calls: readonly Call[],
    held: Held,
    patience: number,
    limit: number,
  ): Promise<Outcome[]> {
    if (this.#alone && !this.#host) await this.#hosts.idle();
    const host = this.#running();
    const across = async () => {
      const loaded = await Promise.all(calls.map((call) => this.#loaded(host, call.process)));
      const replies = await commitOnceTheyWait(held, patience, async () =>
        calls.map((call, index) => {
          const pid = host.pid(call.process, loaded[index]?.pid ?? 0);
          const sleepsBefore = sleepsOf(pid);
          return { pid, sleepsBefore, reply: this.#request(host, call) };
        }),
      );
      return replies.map((reply, index) => this.#outcome(calls[index] as Call, reply));
    };
    return this.#hosts.within(host, limit, across());
  }

  end(): void {
    this.#hosts.end(this.#number);
  }

  /** A session stays with one host, whose processes have its modules. */
  #running(): Host {
    this.#host ??= this.#hosts.running();
    return this.#host;
  }

  /** Asks for the module once a process; the request is sent before the first call's, not awaited. */
  #loaded(host: Host, process: number): Loading {
    const loading = this.#loading[process];
    if (loading) return loading;
    const started = this.#hosts.load(host, process, this.#number).then((reply) => {
      const loaded = decodeLoaded(reply);
      if ('pid' in loaded) return loaded;
      const { type, message, at } = loaded.error;
      throw new SubjectFailure('load', `${at ? `${at}: ` : ''}${type}: ${message}`);
    });
    started.catch(() => {}); // whoever calls awaits it
    this.#loading[process] = started;
    return started;
  }

  #request(host: Host, { process, name, args }: Call): Promise<unknown> {
    const call = ['call', this.#number, functionName(name, this.#language), args.map(encode)];
    return host.channel(process).request(call);
  }

  #outcome(call: Call, reply: unknown): Outcome {
    const outcome = decodeOutcome(reply);
    if (outcome.status === 'missing') {
      const name = functionName(call.name, this.#language);
      throw new SubjectFailure('missing', endSaid('noFunction', { name }));
    }
    if (outcome.status === 'returned' && this.#language === 'javascript')
      return { status: 'returned', value: withOneNumberType(outcome.value) };
    return outcome;
  }
}
