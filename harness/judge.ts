import path from 'node:path';
import { findConfinement } from './confinement.ts';
import type { Clause, Product, Step } from './contract.ts';
import { type Grade, type GradeOptions, grade, skipped, threadsFor, undecided } from './grade.ts';
import { type Located, locate, type Place } from './locate.ts';
import { faultSaid } from './messages/faults.ts';
import { staff } from './messages/staff.ts';
import { type Tongue, textsOf } from './messages/texts.ts';
import { rebuilt } from './rebuild.ts';
import type { AnyLab } from './registry.ts';
import { withoutCase } from './report/failure.ts';
import { type ClauseReport, type Isolation, overall, type Report, type StepReport } from './report/report.ts';
import type { Confinement } from './sandbox.ts';
import { openScratch } from './scratch.ts';
import { interpreterOf, type Submission } from './subject/submission.ts';
import { UsageError } from './usage-error.ts';

export interface Request extends Place {
  /** That of whoever reads; English where nothing is said. */
  readonly tongue?: Tongue | undefined;
  /** Numbers of steps; undefined means all. */
  readonly steps: readonly number[] | undefined;
  readonly runs: number | undefined;
  /** Seconds a step. */
  readonly budget: number | undefined;
  /** Files that scripts of the submission make are made anew. */
  readonly rebuild?: boolean;
  /** Without bubblewrap nothing is judged. */
  readonly requireSandbox?: boolean;
  /** Told once, in a line, where submissions are confined by less than bubblewrap. */
  readonly onWarning?: (warning: string) => void;
  readonly interrupted: AbortSignal;
  /** Where it is graded; here, with threads of its own, where nothing else is said. */
  readonly grade?: Grade;
  readonly onClause: (step: number, report: ClauseReport) => void;
  /** Told, after each clause, of all that is known by then; the rest is undecided. */
  readonly onPartial?: (report: Report) => void;
}

/** Judges a submission. Throws a {@link UsageError} where the request itself is wrong. */
export async function judge(request: Request): Promise<Report> {
  const judging = new Judging(request);
  const located = locate(request);
  switch (located.status) {
    case 'refused':
      return judging.unasked(located, (clause) => refused(clause, request.lab, located, request.tongue));
    case 'no python':
      return judging.unasked(located, skipped, faultSaid('noPython'));
    case 'ready':
      return judging.asked(located);
  }
}

type Ready = Extract<Located, { status: 'ready' }>;

/** What became of a request, beside its steps. */
interface Outcome {
  readonly seed: number;
  readonly entry: string | undefined;
  readonly isolation?: Isolation;
  readonly fault?: string | undefined;
}

class Judging {
  readonly #request: Request;
  readonly #steps: AnyLab['steps'];
  readonly #started = performance.now();
  readonly #known = new Map<string, ClauseReport>();

  constructor(request: Request) {
    this.#request = request;
    this.#steps = request.lab.steps.filter(({ number }) => request.steps?.includes(number) ?? true);
  }

  /** The report of a submission that cannot be run: of each step the first clause says why. */
  unasked(
    located: Omit<Outcome, 'fault'>,
    first: (clause: Clause<unknown>) => ClauseReport,
    fault?: string,
  ): Report {
    const { entry, seed } = located;
    for (const { number, clauses } of this.#steps) {
      for (const [index, clause] of clauses.entries())
        this.#tell(number, index === 0 ? first(clause) : skipped(clause));
    }
    return this.#report(this.#soFar(), { entry, seed, fault });
  }

  async asked({ submission, entry, seed }: Ready): Promise<Report> {
    const { lab, tongue, runs, interrupted } = this.#request;
    const products = this.#request.rebuild ? productsOf(lab, submission) : {};
    const scratch = openScratch();
    try {
      const { folder } = scratch;
      const budget = this.#request.budget ?? lab.budget;
      const confinement = await this.#confinement(folder, submission, budget);
      const { isolation } = confinement;
      const tellPartial = () =>
        this.#request.onPartial?.(this.#partial({ entry, seed, isolation, fault: faultSaid('unfinished') }));
      const onClause = (step: number, report: ClauseReport) => {
        this.#tell(step, report);
        tellPartial();
      };
      tellPartial();
      const steps = await this.#grade(products, {
        ...{
          lab: lab.id,
          submission,
          seed,
          tongue,
          runs,
          budget,
          folder,
          confinement,
          interrupted,
          onClause,
        },
      });
      const failed = steps.some(({ verdict }) => verdict === 'failed');
      // What an interruption left out is skipped, which says nothing: it must not look like a pass.
      const fault = interrupted.aborted && !failed ? faultSaid('interrupted') : undefined;
      return this.#report(steps, { entry, seed, isolation, fault });
    } finally {
      scratch.remove();
    }
  }

  /** Throws a {@link UsageError} where a sandbox is required that does not work here. */
  async #confinement(folder: string, submission: Submission, seconds: number): Promise<Confinement> {
    const { requireSandbox, onWarning, rebuild } = this.#request;
    const interpreter = interpreterOf(submission);
    const found = await findConfinement(folder, submission.entry, interpreter, seconds);
    if (found.lacking !== undefined) {
      if (requireSandbox) throw new UsageError(staff.sandboxRequired(found.lacking));
      if (rebuild) throw new UsageError(staff.rebuildNeedsSandbox(found.lacking));
      onWarning?.(
        textsOf(this.#request.tongue ?? 'en').say('faults', 'noSandbox', { reason: found.lacking }),
      );
    }
    return found.confinement;
  }

  /** Steps are judged together, but for those whose files are made anew, each by a copy of its own. */
  async #grade(
    products: Readonly<Record<number, Product>>,
    options: Omit<GradeOptions, 'steps' | 'threads'>,
  ): Promise<StepReport[]> {
    const { lab, grade: graded = grade } = this.#request;
    const { submission, confinement, folder } = options;
    const numbers = this.#steps.map(({ number }) => number);
    const together = numbers.filter((number) => !products[number]);
    const threads = threadsFor(together.length);
    const reports = together.length > 0 ? await graded({ ...options, steps: together, threads }) : [];
    for (const number of numbers) {
      const product = products[number];
      if (!product) continue;
      const anew = await rebuilt(
        submission,
        product,
        lab,
        path.join(folder, `rebuilt-${number}`),
        confinement,
      );
      reports.push(...(await graded({ ...options, steps: [number], submission: anew, threads: 1 })));
    }
    return reports.sort((a, b) => a.step - b.step);
  }

  #tell(step: number, report: ClauseReport): void {
    this.#known.set(report.id, report);
    this.#request.onClause(step, report);
  }

  #partial(outcome: Outcome): Report {
    const steps = this.#soFar();
    const failed = steps.some(({ verdict }) => verdict === 'failed');
    return this.#report(steps, failed ? { ...outcome, fault: undefined } : outcome);
  }

  #soFar(): readonly StepReport[] {
    return this.#steps.map((step) => partOf(step, this.#known));
  }

  #report(steps: readonly StepReport[], { entry, seed, isolation = 'none', fault }: Outcome): Report {
    const { lab, place } = this.#request;
    return {
      schemaVersion: 1,
      lab: lab.id,
      submission: entry ?? path.resolve(place),
      verdict: fault === undefined ? overall(steps.map(({ verdict }) => verdict)) : 'undecided',
      seed,
      seconds: (performance.now() - this.#started) / 1000,
      isolation,
      ...(fault === undefined ? {} : { fault }),
      steps,
    };
  }
}

/** A step of which not all may be known. */
function partOf(
  { number, title, clauses }: Step<unknown>,
  known: ReadonlyMap<string, ClauseReport>,
): StepReport {
  const reports = clauses.map((clause) => known.get(clause.id) ?? undecided(clause, faultSaid('unfinished')));
  const sum = (of: (report: ClauseReport) => number) => reports.reduce((total, each) => total + of(each), 0);
  return {
    ...{ step: number, title, verdict: overall(reports.map(({ verdict }) => verdict)) },
    ...{ seconds: sum(({ seconds }) => seconds), cases: sum(({ cases }) => cases), clauses: reports },
  };
}

/** What scripts make anew, by the numbers of steps. Throws a {@link UsageError} where they make nothing that is judged. */
function productsOf(lab: AnyLab, submission: Submission): Readonly<Record<number, Product>> {
  if (submission.kind === 'scripts' && lab.products) return lab.products;
  throw new UsageError(`--rebuild: ${lab.id} judges no files that a script makes; leave it out`);
}

/** The report of a clause that no entry file could be asked for. */
function refused(
  clause: Clause<unknown>,
  lab: AnyLab,
  { kind, got, seed }: Extract<Located, { status: 'refused' }>,
  tongue?: Tongue,
): ClauseReport {
  const failure = { ...withoutCase(kind, got, tongue, () => `${lab.entry}.py`), seed };
  return { ...skipped(clause), verdict: 'failed', failure };
}
