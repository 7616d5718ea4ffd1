import { Bench } from './bench.ts';
import { now } from './clock.ts';
import type { Tongue } from './messages/texts.ts';
import { type AnyLab, knownLab } from './registry.ts';
import type { ClauseReport } from './report/report.ts';
import type { Confinement } from './sandbox.ts';
import { newPlaces, type Places } from './scratch.ts';
import type { OpenSubject, Subject } from './subject/subject.ts';
import { openSubject, type Submission } from './subject/submission.ts';
import { verifyClause } from './verify.ts';

/** What all clauses of a run have in common. Plain data: lanes may be in other threads. */
export interface Run {
  readonly lab: string;
  readonly submission: Submission;
  /** Where the databases of the cases lie. */
  readonly folder: string;
  readonly seed: number;
  /** That of whoever reads. */
  readonly tongue?: Tongue | undefined;
  /** Cases a clause; undefined leaves it to the clause. */
  readonly runs: number | undefined;
  /** Milliseconds after which a call is tried again with more time, then given up. */
  readonly callLimit: number;
  readonly confinement: Confinement;
}

/** The share of a step's budget that a call may take before it is tried once more, with twice as much. */
const callShare = 1 / 6;

/** See {@link Run.callLimit}; the budget is in seconds. */
export function callLimitOf(budget: number): number {
  return budget * 1000 * callShare;
}

/** One clause to verify, and its time by the {@link now | clock}. */
export interface Task {
  readonly step: number;
  readonly clause: string;
  /** When the step has to report. */
  readonly deadline: number;
  /** When this clause has had its share. */
  readonly share: number;
  /** Cases, where they are not those of the run. */
  readonly runs?: number | undefined;
  /** Milliseconds for which a failing case is made smaller; undefined means the usual. */
  readonly shrinkTime?: number | undefined;
}

/** Verifies one clause after the other, with processes of its own. */
export interface Lane {
  /** False once its thread has ended: it verifies nothing more. */
  readonly isAlive: boolean;
  verify(task: Task): Promise<ClauseReport>;
  close(): Promise<void>;
}

/** A lane in this thread. */
export class LocalLane implements Lane {
  readonly isAlive = true;
  readonly #run: Run;
  readonly #lab: AnyLab;
  readonly #places: Places;
  readonly #subject: Subject;
  readonly #interrupted: AbortSignal;
  #prepared: Promise<unknown> | undefined;

  constructor(run: Run, interrupted: AbortSignal, open?: OpenSubject, lab: AnyLab = knownLab(run.lab)) {
    this.#run = run;
    this.#lab = lab;
    this.#places = newPlaces(run.folder, run.confinement.user);
    this.#subject = (open ?? openSubject(run.submission, this.#places.shared, run.confinement))();
    this.#interrupted = interrupted;
  }

  async verify(task: Task): Promise<ClauseReport> {
    const clause = this.#lab.steps
      .find(({ number }) => number === task.step)
      ?.clauses.find(({ id }) => id === task.clause);
    if (!clause) throw new RangeError(`no clause ${task.clause}`);
    const { submission, seed, tongue, runs, callLimit } = this.#run;
    this.#prepared ??= this.#prepare();
    const prepared = await this.#prepared;
    const ahead = performance.now() - now();
    const report = await verifyClause(this.#lab, clause, this.#subject, prepared, {
      entry: submission.entry,
      seed,
      tongue,
      runs: task.runs ?? runs,
      places: this.#places,
      limits: { call: callLimit, deadline: task.deadline + ahead },
      share: task.share + ahead,
      shrinkTime: task.shrinkTime,
      interrupted: this.#interrupted,
    });
    await this.#subject.tidy();
    return report;
  }

  close(): Promise<void> {
    return this.#subject.close();
  }

  async #prepare(): Promise<unknown> {
    const { callLimit } = this.#run;
    const bench = new Bench(this.#subject, this.#places, {
      call: callLimit,
      deadline: performance.now() + callLimit,
    });
    try {
      return await this.#lab.prepare(bench);
    } finally {
      bench.close();
    }
  }
}
