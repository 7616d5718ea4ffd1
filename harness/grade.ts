import { Bench } from './bench.ts';
import type { Clause, Step } from './contract.ts';
import type { AnyLab } from './registry.ts';
import type { OpenSubject, Subject } from './subject/subject.ts';
import { type ClauseResult, type Verdict, verifyClause } from './verify.ts';

export interface StepResult {
  readonly step: number;
  readonly title: string;
  readonly verdict: Verdict;
  readonly seconds: number;
  readonly cases: number;
  readonly clauses: readonly ClauseResult[];
}

export interface GradeOptions {
  readonly lab: AnyLab;
  /** Numbers of steps of the lab. */
  readonly steps: readonly number[];
  readonly open: OpenSubject;
  readonly seed: number;
  /** Cases a clause; undefined leaves it to the clause. */
  readonly runs?: number | undefined;
  /** Seconds a step. */
  readonly budget: number;
  /** How many clauses are verified at the same time. */
  readonly lanes: number;
  /** Where the databases lie. */
  readonly folder: string;
  readonly interrupted?: AbortSignal;
  /** Told of each clause as it ends. */
  readonly onClause?: (step: number, result: ClauseResult) => void;
}

/** The share of its budget after which a step reports what it has. */
const usableBudget = 0.9;

/** A call that takes longer than this share of the budget is tried again with more time, then given up. */
const callShare = 1 / 9;

interface Task {
  readonly step: StepRun;
  readonly clause: Clause<unknown>;
}

/** A step under way. Its time counts from its first clause. */
class StepRun {
  readonly step: Step<unknown>;
  readonly budget: number;
  readonly results = new Map<string, ClauseResult>();
  started: number | undefined;
  ended = 0;
  /** Why its other clauses need not be asked. */
  stopped = false;

  constructor(step: Step<unknown>, budget: number) {
    this.step = step;
    this.budget = budget;
  }

  deadline(): number {
    this.started ??= performance.now();
    return this.started + this.budget * 1000 * usableBudget;
  }

  add(result: ClauseResult): void {
    this.results.set(result.id, result);
    this.ended = performance.now();
    const kind = result.failure?.kind;
    if (kind === 'load' || kind === 'missing' || kind === 'timeout') this.stopped = true;
  }

  result(): StepResult {
    const { number, title } = this.step;
    const clauses = this.step.clauses.map((clause) => this.results.get(clause.id) ?? notAsked(clause));
    return {
      step: number,
      title,
      verdict: overall(clauses.map((clause) => clause.verdict)),
      seconds: this.started === undefined ? 0 : (this.ended - this.started) / 1000,
      cases: clauses.reduce((sum, clause) => sum + clause.cases, 0),
      clauses,
    };
  }
}

/** Verifies the steps, clause by clause, as many at a time as there are lanes. */
export async function grade(options: GradeOptions): Promise<StepResult[]> {
  const { lab, folder, open, lanes } = options;
  const interrupted = options.interrupted ?? new AbortController().signal;
  const runs = lab.steps
    .filter((step) => options.steps.includes(step.number))
    .map((step) => new StepRun(step, options.budget));
  const tasks = runs.flatMap((step) => step.step.clauses.map((clause): Task => ({ step, clause })));
  const limits = { call: options.budget * 1000 * callShare };

  let prepared: Promise<unknown> | undefined;
  const prepare = (subject: Subject): Promise<unknown> => {
    const deadline = performance.now() + limits.call;
    const bench = new Bench(subject, folder, { ...limits, deadline });
    subject.begin(false);
    return lab.prepare(bench).finally(() => bench.close());
  };

  const lane = async (): Promise<void> => {
    const subject = open();
    try {
      prepared ??= prepare(subject);
      const ready = await prepared;
      for (let task = tasks.shift(); task; task = tasks.shift()) {
        const { step, clause } = task;
        const result = step.stopped ? notAsked(clause) : await verify(step, clause, subject, ready);
        step.add(result);
        options.onClause?.(step.step.number, result);
      }
    } finally {
      await subject.close();
    }
  };

  const verify = (step: StepRun, clause: Clause<unknown>, subject: Subject, ready: unknown) => {
    const now = performance.now();
    const deadline = step.deadline();
    const share = now + (deadline - now) / (step.step.clauses.length - step.results.size);
    const { seed, runs: cases } = options;
    const conditions = { seed, runs: cases, folder, limits: { ...limits, deadline }, share, interrupted };
    return verifyClause(lab, clause, subject, ready, conditions);
  };

  await Promise.all(Array.from({ length: Math.min(lanes, tasks.length) }, lane));
  return runs.map((step) => step.result());
}

function notAsked({ id, statement }: Clause<unknown>): ClauseResult {
  return { id, statement, verdict: 'skipped', cases: 0, seconds: 0 };
}

/** One failure fails all; what could not be judged leaves all undecided; skipped clauses say nothing. */
export function overall(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes('failed')) return 'failed';
  if (verdicts.includes('undecided')) return 'undecided';
  return verdicts.includes('passed') ? 'passed' : 'skipped';
}
