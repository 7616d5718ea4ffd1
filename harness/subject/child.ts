import { functionName, type Language } from '../literal.ts';
import { withOneNumberType } from '../value.ts';
import type { Channel } from './channel.ts';
import { commitOnceTheyWait, sleepsOf } from './hold.ts';
import {
  type Call,
  type GraderFault,
  type Held,
  Inconclusive,
  type Outcome,
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
  /** Why the host itself did not work, once it is known. */
  readonly fault: GraderFault | undefined;
}

/** Cases that one process serves before another takes its place: cached connections add up. */
const maxCasesOfAProcess = 100;

type Loading = Promise<{ pid: number }>;

/** A subject in other processes; what differs between languages is their {@link Host}. */
export class ChildSubject implements Subject {
  readonly language: Language;
  readonly processes: number;
  readonly numberTypes: 1 | 2;
  readonly #start: () => Host;
  #host: Host | undefined;
  #closed: Host | undefined;
  #alone = false;
  #loading: (Loading | undefined)[] = [];
  #casesServed: number[] = [];
  readonly #underWay = new Set<Promise<unknown>>();
  /** Calls that the case before made ahead and no longer waits for: how they end is not this case's affair. */
  #abandoned: Promise<unknown> | undefined;

  constructor(language: Language, processes: number, start: () => Host) {
    this.language = language;
    this.processes = processes;
    this.numberTypes = language === 'python' ? 2 : 1;
    this.#start = start;
  }

  begin(alone: boolean): void {
    this.#alone = alone;
    this.#loading = [];
    this.#abandoned = this.#underWay.size > 0 ? Promise.allSettled(this.#underWay) : undefined;
  }

  async call(call: Call, limit: number): Promise<Outcome> {
    return this.#within(limit, async (host) => {
      const loaded = this.#loaded(host, call.process);
      const reply = host.channel(call.process).request(this.#request(call));
      const [, outcome] = await Promise.all([loaded, reply]);
      return this.#outcome(call, outcome);
    });
  }

  async callWhileHeld(
    calls: readonly Call[],
    held: Held,
    patience: number,
    limit: number,
  ): Promise<Outcome[]> {
    return this.#within(limit, async (host) => {
      const loaded = await Promise.all(calls.map((call) => this.#loaded(host, call.process)));
      const replies = await commitOnceTheyWait(held, patience, async () =>
        calls.map((call, index) => {
          const pid = host.pid(call.process, loaded[index]?.pid ?? 0);
          const sleepsBefore = sleepsOf(pid);
          return { pid, sleepsBefore, reply: host.channel(call.process).request(this.#request(call)) };
        }),
      );
      return replies.map((reply, index) => this.#outcome(calls[index] as Call, reply));
    });
  }

  async close(): Promise<void> {
    this.#closed = this.#host;
    this.#host = undefined;
    await this.#closed?.kill();
  }

  #running(): Host {
    if (!this.#host) {
      this.#host = this.#start();
      this.#casesServed = [];
    }
    return this.#host;
  }

  /** Asks for the module once a case and process; the request is sent before the first call's, not awaited. */
  #loaded(host: Host, process: number): Loading {
    const loading = this.#loading[process];
    if (loading) return loading;
    const served = this.#casesServed[process] ?? 0;
    const renew = served > 0 && (this.#alone || served >= maxCasesOfAProcess);
    if (renew) host.renew(process);
    this.#casesServed[process] = renew ? 1 : served + 1;
    const started = host
      .channel(process)
      .request(['load'])
      .then((reply) => {
        const loaded = decodeLoaded(reply);
        if ('pid' in loaded) return loaded;
        const { type, message, at } = loaded.error;
        throw new SubjectFailure('load', `${at ? `${at}: ` : ''}${type}: ${message}`);
      });
    started.catch(() => {}); // whoever calls awaits it
    this.#loading[process] = started;
    return started;
  }

  #request({ name, args }: Call): unknown {
    return ['call', functionName(name, this.language), args.map(encode)];
  }

  #outcome(call: Call, reply: unknown): Outcome {
    const outcome = decodeOutcome(reply);
    if (outcome.status === 'missing')
      throw new SubjectFailure('missing', `there is no function ${functionName(call.name, this.language)}`);
    if (outcome.status === 'returned' && this.numberTypes === 1) {
      return { status: 'returned', value: withOneNumberType(outcome.value) };
    }
    return outcome;
  }

  async #within<T>(limit: number, work: (host: Host) => Promise<T>): Promise<T> {
    if (this.#abandoned) await this.#abandoned;
    const call = this.#inTime(limit, this.#running(), work);
    this.#underWay.add(call);
    return call.finally(() => this.#underWay.delete(call));
  }

  /** A host that fails, or does not answer in time, is killed: the next case starts another. */
  async #inTime<T>(limit: number, host: Host, work: (host: Host) => Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const detail = `no answer within ${(limit / 1000).toFixed(1)} s`;
      timer = setTimeout(() => reject(new SubjectFailure('timeout', detail)), limit);
    });
    const working = work(host);
    working.catch(() => {}); // it fails, too, when the host is killed
    try {
      return await Promise.race([working, late]);
    } catch (error) {
      const failure =
        error instanceof ProtocolError
          ? new SubjectFailure('crash', `the process sent ${error.message}`)
          : error;
      if (leavesHostAlive(failure)) throw failure;
      if (host === this.#closed) throw new Inconclusive('closed while the call was under way');
      if (this.#host === host) {
        this.#host = undefined;
        this.#loading = [];
      }
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
