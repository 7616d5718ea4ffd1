import fc from 'fast-check';
import { Bench, type Event, type Limits, OutOfTime } from './bench.ts';
import { type Clause, defaultCases, defaultMinimum, type Lab, Mismatch } from './contract.ts';
import { causeOf } from './evidence.ts';
import { endFor, endSaid, faultSaid } from './messages/faults.ts';
import { type Texts, type Tongue, textsOf } from './messages/texts.ts';
import { tellFailure, withoutCase } from './report/failure.ts';
import { harmless } from './report/harmless.ts';
import { statementOf } from './report/learner.ts';
import type { ClauseReport, FailureKind } from './report/report.ts';
import { roomAt, takenBy } from './room.ts';
import type { Places } from './scratch.ts';
import { GraderFault, Inconclusive, type Subject, SubjectFailure } from './subject/subject.ts';

export interface Conditions {
  /** The submission's entry file. */
  readonly entry: string;
  readonly seed: number;
  /** That of whoever reads. */
  readonly tongue?: Tongue | undefined;
  /** Cases a clause; undefined leaves it to the clause. */
  readonly runs: number | undefined;
  /** Where the databases of the cases lie. */
  readonly places: Places;
  readonly limits: Limits;
  /** When this clause has had its share of the time: it goes on only until its minimum is reached. */
  readonly share: number;
  /** Milliseconds for which a failing case is made smaller; with 0 the first that failed is reported. */
  readonly shrinkTime?: number | undefined;
  readonly interrupted: AbortSignal;
}

/** Milliseconds for which a failing case is made smaller where nothing else is said. */
const usualShrinkTime = 5_000;

/** A call that seems never to return is tried once more, with so many times the limit. */
const secondChance = 2;

/** Bytes left on a disk that is called full, and what a submission's files take when they have filled it. */
const leastRoom = 1 << 20;
const plenty = { bytes: 16 << 20, files: 1000 };

/** Cases that one process serves before another takes its place: what a submission leaves behind adds up. */
const casesOfAProcess = 100;

/** Runs the cases of one clause; see {@link Conditions} for how many and how long. Never throws. */
export async function verifyClause<Context, Prepared>(
  lab: Lab<Context, Prepared>,
  clause: Clause<Context>,
  subject: Subject,
  prepared: Prepared,
  conditions: Conditions,
): Promise<ClauseReport> {
  const started = performance.now();
  const run = new ClauseRun(lab, clause, subject, prepared, conditions);
  const outcome = await run.run();
  const { id, statement } = clause;
  return { id, statement, ...outcome, cases: run.cases, seconds: (performance.now() - started) / 1000 };
}

type Judgement = Pick<ClauseReport, 'verdict' | 'failure' | 'fault'>;

/** A case that failed, with the record of it. */
class CaseFailed extends Error {
  readonly kind: FailureKind;
  readonly trace: readonly Event[];
  readonly reason: Mismatch | SubjectFailure;
  constructor(reason: Mismatch | SubjectFailure, trace: readonly Event[]) {
    super(reason.message);
    this.kind = reason instanceof Mismatch ? 'contract' : reason.kind;
    this.trace = trace;
    this.reason = reason;
  }
}

/** Ends a run that no failure has ended: fast-check would go on drawing cases, up to the last. */
class Ended extends Error {}

class ClauseRun<Context, Prepared> {
  cases = 0;
  readonly #lab: Lab<Context, Prepared>;
  readonly #clause: Clause<Context>;
  readonly #subject: Subject;
  readonly #prepared: Prepared;
  readonly #conditions: Conditions;
  #fault: Error | undefined;
  /** The last failure, which is the smallest, the first, and when that was seen. */
  #failed: CaseFailed | undefined;
  #firstFailed: CaseFailed | undefined;
  #firstFailedAt = Number.POSITIVE_INFINITY;
  /** A case has thrown: what follows is fast-check making it smaller. */
  #ended = false;

  constructor(
    lab: Lab<Context, Prepared>,
    clause: Clause<Context>,
    subject: Subject,
    prepared: Prepared,
    conditions: Conditions,
  ) {
    this.#lab = lab;
    this.#clause = clause;
    this.#subject = subject;
    this.#prepared = prepared;
    this.#conditions = conditions;
  }

  async run(): Promise<Judgement> {
    const { seed, runs, tongue, interrupted } = this.#conditions;
    const { cases = defaultCases, minimum = defaultMinimum } = this.#clause.options;
    const numRuns = runs ?? cases;
    const passed = await this.#together(numRuns);
    const details = passed < numRuns ? await this.#alone(passed, numRuns) : undefined;
    if (this.#fault) return { verdict: 'undecided', fault: harmless(this.#fault.message) };
    const [lab, clause] = [this.#lab, this.#clause];
    const { id, options } = clause;
    const { reason } = this.#failed ?? {};
    if (reason instanceof SubjectFailure && (reason.kind === 'load' || reason.kind === 'missing')) {
      // No case is at fault, and none makes it plainer.
      const failure = withoutCase(reason.kind, (texts) => harmless(endFor(reason.detail, texts)), tongue);
      return { verdict: 'failed', failure: { ...failure, seed } };
    }
    if (this.#failed && details) {
      const { counterexamplePath: path, numShrinks: shrinks } = details;
      const { language, scripts } = this.#subject;
      const { entry } = this.#conditions;
      const title = (texts: Texts) =>
        texts.say('script', 'title', { lab: lab.id, id, statement: statementOf(lab, clause, texts) });
      const hintKey = causeOf(this.#failed, this.#firstFailed ?? this.#failed, lab.evidence);
      const hint = hintKey ? textsOf('en').say('hints', hintKey) : (options.hint ?? '');
      const told = tellFailure(this.#failed, { language, tongue, entry, title, hint, scripts });
      return { verdict: 'failed', failure: { ...told, hintKey, seed, path, shrinks } };
    }
    if (interrupted.aborted) return { verdict: 'undecided', fault: faultSaid('interrupted') };
    if (this.cases < Math.min(minimum, numRuns)) {
      const failure = withoutCase(
        'budget',
        (texts) => texts.say('telling', 'tooFewCases', { cases: this.cases, minimum }),
        tongue,
      );
      return { verdict: 'failed', failure: { ...failure, seed } };
    }
    return { verdict: 'passed' };
  }

  /**
   * Runs cases in processes that they share, several at once, and resolves to how many passed before the first that
   * did not: whether it fails is not settled yet, for its company may be the reason.
   */
  async #together(numRuns: number): Promise<number> {
    const underWay = new Set<Promise<void>>();
    const most = this.#clause.options.exclusive ? 1 : this.#subject.sessions;
    let started = 0;
    let first = Number.POSITIVE_INFINITY;
    await this.#check(0, numRuns, async (drawn) => {
      const fresh = started % casesOfAProcess === 0;
      while (underWay.size >= (fresh ? 1 : most)) await Promise.race(underWay);
      if (first < started || this.#finished()) throw new Ended();
      const index = started;
      started += 1;
      const run = this.#try(drawn, this.#conditions.limits, fresh)
        .then(
          () => {
            this.cases += 1;
          },
          () => {
            first = Math.min(first, index);
          },
        )
        .finally(() => underWay.delete(run));
      underWay.add(run);
    });
    await Promise.all(underWay);
    this.cases = Math.min(first, started);
    return this.cases;
  }

  /** Runs the cases from this one on, each in processes of its own, and makes the first that fails smaller. */
  #alone(from: number, numRuns: number): Promise<fc.RunDetails<[object]>> {
    return this.#check(from, numRuns, (drawn) => this.#judge(drawn));
  }

  #check(
    from: number,
    numRuns: number,
    predicate: (drawn: object) => Promise<void>,
  ): Promise<fc.RunDetails<[object]>> {
    const { seed } = this.#conditions;
    const path = from > 0 ? { path: String(from) } : {};
    const property = fc.asyncProperty(fc.record(this.#clause.arbitraries), predicate);
    return fc.check(property, { seed, numRuns: numRuns - from, ...path });
  }

  /** Throws where the case failed. Cases for which there is no time, or no need, pass without having run. */
  async #judge(drawn: object): Promise<void> {
    if (this.#finished()) {
      if (this.#ended) return;
      this.#ended = true;
      throw new Ended();
    }
    if (!this.#failed) this.cases += 1;
    const { call, deadline } = this.#conditions.limits;
    try {
      await this.#try(drawn, { call: call * secondChance, deadline }, true);
    } catch (error) {
      const failed = this.#failure(error);
      if (!failed) return;
      this.#failed = failed;
      this.#firstFailed ??= failed;
      this.#ended = true;
      this.#firstFailedAt = Math.min(this.#firstFailedAt, performance.now());
      throw failed;
    }
  }

  #finished(): boolean {
    const { limits, share, interrupted, shrinkTime = usualShrinkTime } = this.#conditions;
    if (this.#fault || interrupted.aborted) return true;
    const now = performance.now();
    if (this.#failed) {
      const shrinkable = this.#failed.kind === 'contract' || this.#failed.kind === 'crash';
      return !shrinkable || now > Math.min(limits.deadline, this.#firstFailedAt + shrinkTime);
    }
    const { minimum = defaultMinimum } = this.#clause.options;
    return now > (this.cases < minimum ? limits.deadline : share);
  }

  /** What a thrown error means: a failed case, or (undefined) none. */
  #failure(error: unknown): CaseFailed | undefined {
    if (error instanceof CaseFailed) return this.#blamed(error);
    if (error instanceof OutOfTime) {
      if (!this.#failed) this.cases -= 1;
    } else if (!(error instanceof Inconclusive)) {
      this.#fault = error as Error;
    }
    return undefined;
  }

  /** The failure, unless the disk is full and others have filled it. */
  #blamed(failed: CaseFailed): CaseFailed | undefined {
    const { shared } = this.#conditions.places;
    if (roomAt(shared).bytes > leastRoom) return failed;
    if (takenBy(shared, plenty).bytes > plenty.bytes)
      return new CaseFailed(new SubjectFailure('disk', endSaid('diskFull')), failed.trace);
    this.#fault = new GraderFault(faultSaid('full'));
    return undefined;
  }

  async #try(drawn: object, limits: Limits, alone: boolean): Promise<void> {
    const bench = new Bench(this.#subject, this.#conditions.places, limits, alone);
    try {
      await this.#clause.predicate(this.#lab.open(bench, this.#prepared), drawn as never);
    } catch (error) {
      if (error instanceof Mismatch || error instanceof SubjectFailure)
        throw new CaseFailed(error, bench.trace);
      throw error;
    } finally {
      bench.close();
    }
  }
}
