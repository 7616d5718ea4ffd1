import { availableParallelism } from 'node:os';
import { now } from './clock.ts';
import { type Clause, defaultCases, type Step } from './contract.ts';
import { callLimitOf, type Lane, LocalLane, type Run } from './lane.ts';
import { faultSaid } from './messages/faults.ts';
import type { Tongue } from './messages/texts.ts';
import { knownLab } from './registry.ts';
import { hasThreads, remoteLanes } from './remote-lane.ts';
import { harmless } from './report/harmless.ts';
import { type ClauseReport, overall, type StepReport, stopping } from './report/report.ts';
import type { Confinement } from './sandbox.ts';
import type { GraderFault } from './subject/subject.ts';
import type { Submission } from './subject/submission.ts';

export interface GradeOptions {
  readonly lab: string;
  /** Numbers of steps of the lab. */
  readonly steps: readonly number[];
  readonly submission: Submission;
  readonly seed: number;
  /** That of whoever reads; English where nothing is said. */
  readonly tongue?: Tongue | undefined;
  /** Cases a clause; undefined leaves it to the clause. */
  readonly runs?: number | undefined;
  /** Seconds a step. */
  readonly budget: number;
  /** Threads that verify. */
  readonly threads: number;
  /** Where the databases lie. */
  readonly folder: string;
  readonly confinement: Confinement;
  readonly interrupted: AbortSignal;
  /** Told of each clause as it ends. */
  readonly onClause?: (step: number, report: ClauseReport) => void;
}

/** The share of its budget after which a step reports what it has. */
const usableBudget = 0.9;

/** Lanes of this thread and of others: while one waits for a lock, or for time to pass, another works. */
const lanesHere = 2;
const lanesOfAThread = 1;

/** Lanes of the only thread where a case is some processes: what it waits for is mostly they. */
const lanesForScripts = 3;

/** Threads beyond which more do not help: a lab has some thirty clauses. */
const mostThreads = 4;

/** Threads for so many steps. */
export function threadsFor(steps: number): number {
  return hasThreads && steps > 1 ? Math.min(availableParallelism(), mostThreads) : 1;
}

/** A step under way. Its time counts from its first clause. */
class StepRun {
  readonly step: Step<unknown>;
  readonly #milliseconds: number;
  readonly #reports = new Map<string, ClauseReport>();
  #started: number | undefined;
  #ended = 0;
  stopped = false;

  constructor(step: Step<unknown>, budget: number) {
    this.step = step;
    this.#milliseconds = budget * 1000 * usableBudget;
  }

  /** When all of it ends, and when the next clause has had its share, by the {@link now | clock}. */
  times(): { deadline: number; share: number } {
    const time = now();
    this.#started ??= time;
    const deadline = this.#started + this.#milliseconds;
    return { deadline, share: time + (deadline - time) / (this.step.clauses.length - this.#reports.size) };
  }

  add(report: ClauseReport): void {
    this.#reports.set(report.id, report);
    this.#ended = now();
    if (report.failure && stopping.has(report.failure.kind)) this.stopped = true;
  }

  report(): StepReport {
    const { number, title } = this.step;
    const clauses = this.#clauses();
    return {
      step: number,
      title,
      verdict: overall(clauses.map((clause) => clause.verdict)),
      seconds: this.#started === undefined ? 0 : (this.#ended - this.#started) / 1000,
      cases: clauses.reduce((sum, clause) => sum + clause.cases, 0),
      clauses,
    };
  }

  /** Of a submission that cannot be loaded the first clause says so, whichever was asked first. */
  #clauses(): readonly ClauseReport[] {
    const reports = this.step.clauses.map((clause) => this.#reports.get(clause.id) ?? skipped(clause));
    const failure = reports.find((report) => report.failure?.kind === 'load')?.failure;
    if (!failure) return reports;
    return this.step.clauses.map((clause, index) =>
      index === 0 ? { ...skipped(clause), verdict: 'failed', failure } : skipped(clause),
    );
  }
}

/** How steps are graded; another thread may do it. Rejects with a {@link GraderFault} where it cannot be done. */
export type Grade = (options: GradeOptions) => Promise<StepReport[]>;

/** Verifies the steps, clause by clause, as many at a time as there are lanes. */
export async function grade(options: GradeOptions): Promise<StepReport[]> {
  const { submission, folder, seed, tongue, runs, budget, confinement, interrupted } = options;
  const lab = knownLab(options.lab);
  const steps = lab.steps
    .filter((step) => options.steps.includes(step.number))
    .map((step) => new StepRun(step, budget));
  const queue = steps.flatMap((step) =>
    [...step.step.clauses].sort(shortestLast).map((clause) => ({ step, clause })),
  );

  const callLimit = callLimitOf(budget);
  const run: Run = { lab: lab.id, submission, folder, seed, tongue, runs, callLimit, confinement };
  const remote = Array.from({ length: options.threads - 1 }, () => remoteLanes(run, lanesOfAThread));
  const local = Array.from(
    {
      length: Math.min(queue.length, lab.kind === 'scripts' && !remote.length ? lanesForScripts : lanesHere),
    },
    () => new LocalLane(run, interrupted),
  );

  const work = async (lane: Lane): Promise<void> => {
    while (lane.isAlive && !interrupted.aborted) {
      const next = queue.shift();
      if (!next) break;
      const { step, clause } = next;
      const report = step.stopped
        ? skipped(clause)
        : await lane
            .verify({ step: step.step.number, clause: clause.id, ...step.times() })
            .catch((error: Error) =>
              undecided(clause, interrupted.aborted ? faultSaid('interrupted') : error.message),
            );
      step.add(report);
      options.onClause?.(step.step.number, report);
    }
  };

  const lanes = [...local, ...remote.flat()];
  const closeAll = () => Promise.all(lanes.map((lane) => lane.close()));
  interrupted.addEventListener('abort', closeAll);
  try {
    await Promise.all(lanes.map(work));
  } finally {
    interrupted.removeEventListener('abort', closeAll);
    await closeAll();
  }
  return steps.map((step) => step.report());
}

/** Clauses of few cases take long for each of them, and mostly wait: they begin while others work. */
function shortestLast(a: Clause<unknown>, b: Clause<unknown>): number {
  return (a.options.cases ?? defaultCases) - (b.options.cases ?? defaultCases);
}

/** The report of a clause that was not asked. */
export function skipped({ id, statement }: Clause<unknown>): ClauseReport {
  return { id, statement, verdict: 'skipped', cases: 0, seconds: 0 };
}

/** The report of a clause that could not be judged. */
export function undecided({ id, statement }: Clause<unknown>, fault: string): ClauseReport {
  return { id, statement, verdict: 'undecided', cases: 0, seconds: 0, fault: harmless(fault) };
}
