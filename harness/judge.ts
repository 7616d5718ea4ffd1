import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { findConfinement } from './confinement.ts';
import type { Clause, Step } from './contract.ts';
import { grade, skipped, undecided } from './grade.ts';
import { en } from './messages/en.ts';
import { isWithin } from './mounts.ts';
import { type Product, rebuild } from './rebuild.ts';
import type { AnyLab } from './registry.ts';
import { type ClauseReport, type Isolation, overall, type Report, type StepReport } from './report/report.ts';
import type { Confinement } from './sandbox.ts';
import { openScratch } from './scratch.ts';
import { findInterpreter } from './subject/interpreter.ts';
import { findSubmission, type Submission, scriptsOf } from './subject/submission.ts';

/** What a user asked for that cannot be: one line that says what, where, and what to do. */
export class UsageError extends Error {}

export interface Request {
  readonly lab: AnyLab;
  /** A folder, or an entry file. */
  readonly place: string;
  /** Numbers of steps; undefined means all. */
  readonly steps: readonly number[] | undefined;
  readonly seed: number | undefined;
  readonly runs: number | undefined;
  /** Seconds a step. */
  readonly budget: number | undefined;
  /** A Python by path or name. */
  readonly interpreter: string | undefined;
  /** Files that scripts of the submission make are made anew. */
  readonly rebuild?: boolean;
  /** Without bubblewrap nothing is judged. */
  readonly requireSandbox?: boolean;
  /** Told once, in a line, where submissions are confined by less than bubblewrap. */
  readonly onWarning?: (warning: string) => void;
  readonly interrupted: AbortSignal;
  readonly onClause: (step: number, report: ClauseReport) => void;
  /** Told, after each clause, of all that is known by then; the rest is undecided. */
  readonly onPartial?: (report: Report) => void;
}

/** Threads beyond which more do not help: a lab has some thirty clauses. */
const mostThreads = 4;

/** Judges a submission. Throws a {@link UsageError} where the request itself is wrong. */
export async function judge(request: Request): Promise<Report> {
  const started = performance.now();
  const { lab, place } = request;
  const steps = lab.steps.filter(({ number }) => request.steps?.includes(number) ?? true);
  const found = findSubmission(place, lab.entry);
  const finish = (parts: {
    seed: number;
    steps: readonly StepReport[];
    entry?: string;
    fault?: string;
    isolation?: Isolation;
  }): Report => ({
    schemaVersion: 1,
    lab: lab.id,
    submission: parts.entry ?? path.resolve(place),
    verdict: parts.fault ? 'undecided' : overall(parts.steps.map((step) => step.verdict)),
    seed: parts.seed,
    seconds: (performance.now() - started) / 1000,
    isolation: parts.isolation ?? 'none',
    ...(parts.fault ? { fault: parts.fault } : {}),
    steps: parts.steps,
  });
  const unasked = (first: (clause: Clause<unknown>) => ClauseReport): StepReport[] =>
    steps.map(({ number, title, clauses }) => {
      const reports = clauses.map((clause, index) => (index === 0 ? first(clause) : skipped(clause)));
      for (const report of reports) request.onClause(number, report);
      const verdict = overall(reports.map((report) => report.verdict));
      return { step: number, title, verdict, seconds: 0, cases: 0, clauses: reports };
    });

  switch (found.status) {
    case 'absent':
      throw new UsageError(
        `--submission ${place}: there is no such folder or entry file; name the folder of ${lab.entry}.py`,
      );
    case 'ambiguous':
      throw new UsageError(
        `--submission ${place}: the folder has ${found.names.join(' and ')}; name the one that is meant`,
      );
    case 'missing':
      if (lab.kind === 'functions') {
        return finish({
          seed: request.seed ?? 0,
          steps: unasked((clause) => refused('missing', en.noEntry, clause, lab, request.seed ?? 0)),
        });
      }
      break; // a folder of scripts fills up step by step
    case 'found':
      if (leadsOut(found.entry)) {
        const refuse = (clause: Clause<unknown>) =>
          refused('load', en.linkOut(path.basename(found.entry)), clause, lab, request.seed ?? 0);
        return finish({ entry: found.entry, seed: request.seed ?? 0, steps: unasked(refuse) });
      }
      break;
  }
  const entry = found.status === 'found' ? found.entry : undefined;
  const isPython = found.status === 'missing' || found.kind === 'python';
  const seed = request.seed ?? (entry ? seedOf(entry) : 0);
  const interpreter = findInterpreter(request.interpreter ?? 'python3');
  if (isPython && !interpreter) {
    if (request.interpreter) {
      throw new UsageError(`--interpreter ${request.interpreter}: there is no such program; name a Python 3`);
    }
    return finish({ seed, steps: unasked(skipped), fault: en.noPython, ...(entry ? { entry } : {}) });
  }
  const submission = submissionOf(lab, place, entry, isPython, interpreter ?? '');
  if (request.rebuild && (submission.kind !== 'scripts' || !lab.products)) {
    throw new UsageError(`--rebuild: ${lab.id} judges no files that a script makes; leave it out`);
  }
  const scratch = openScratch();
  try {
    const budget = request.budget ?? lab.budget;
    const confinement = await confinementFor(request, scratch.folder, submission, budget);
    if (request.rebuild && confinement.isolation !== 'bubblewrap') {
      throw new UsageError(
        '--rebuild: bubblewrap does not work here; install it (Debian: bubblewrap), or leave it out',
      );
    }
    const { runs, interrupted } = request;
    const known = new Map<string, ClauseReport>();
    const partial = (): Report => {
      const parts = steps.map((step) => partOf(step, known));
      const failed = parts.some(({ verdict }) => verdict === 'failed');
      const { isolation } = confinement;
      const fault = failed ? {} : { fault: en.unfinished };
      return finish({ entry: submission.entry, seed, steps: parts, isolation, ...fault });
    };
    const onClause = (step: number, report: ClauseReport) => {
      known.set(report.id, report);
      request.onClause(step, report);
      request.onPartial?.(partial());
    };
    request.onPartial?.(partial());
    const options = {
      ...{ lab: lab.id, seed, runs, budget, folder: scratch.folder, confinement, interrupted, onClause },
    };
    const reports: StepReport[] = [];
    for (const group of groupsOf(steps, request.rebuild ? lab.products : undefined)) {
      const { numbers, product } = group;
      const copy = path.join(scratch.folder, `rebuilt-${numbers[0]}`);
      const judged = product ? await rebuilt(submission, product, lab, copy, budget) : submission;
      const threads = numbers.length > 1 ? Math.min(availableParallelism(), mostThreads) : 1;
      reports.push(...(await grade({ ...options, steps: numbers, submission: judged, threads })));
    }
    reports.sort((a, b) => a.step - b.step);
    const failed = reports.some(({ verdict }) => verdict === 'failed');
    // What an interruption left out is skipped, which says nothing: it must not look like a pass.
    const fault = interrupted.aborted && !failed ? { fault: en.interrupted } : {};
    const { isolation } = confinement;
    return finish({ entry: submission.entry, seed, steps: reports, isolation, ...fault });
  } finally {
    scratch.remove();
  }
}

/** A step of which not all is known. */
function partOf(
  { number, title, clauses }: Step<unknown>,
  known: ReadonlyMap<string, ClauseReport>,
): StepReport {
  const reports = clauses.map((clause) => known.get(clause.id) ?? undecided(clause, en.unfinished));
  const sum = (of: (report: ClauseReport) => number) => reports.reduce((total, each) => total + of(each), 0);
  return {
    ...{ step: number, title, verdict: overall(reports.map(({ verdict }) => verdict)) },
    ...{ seconds: sum(({ seconds }) => seconds), cases: sum(({ cases }) => cases), clauses: reports },
  };
}

/** Throws a {@link UsageError} where a sandbox is required that does not work here. */
async function confinementFor(
  { requireSandbox, onWarning }: Request,
  folder: string,
  submission: Submission,
  seconds: number,
): Promise<Confinement> {
  const interpreter = submission.kind === 'node' ? undefined : submission.interpreter;
  const { confinement, lacking } = await findConfinement(folder, submission.entry, interpreter, seconds);
  if (lacking !== undefined) {
    if (requireSandbox) throw new UsageError(en.sandboxRequired(lacking));
    onWarning?.(en.noSandbox(lacking));
  }
  return confinement;
}

interface Group {
  readonly numbers: readonly number[];
  readonly product?: Product;
}

/** The steps that are judged together: those whose files are made anew are each judged by a copy of their own. */
function groupsOf(
  steps: AnyLab['steps'],
  products: Readonly<Record<number, Product>> | undefined,
): readonly Group[] {
  const numbers = steps.map(({ number }) => number);
  const together = numbers.filter((number) => !products?.[number]);
  const apart = numbers.flatMap((number): Group[] => {
    const product = products?.[number];
    return product ? [{ numbers: [number], product }] : [];
  });
  return [...(together.length > 0 ? [{ numbers: together }] : []), ...apart];
}

/** The submission as a copy in which the product's script has just been run. */
export async function rebuilt(
  submission: Submission,
  product: Product,
  { home, entry }: AnyLab,
  copy: string,
  seconds: number,
): Promise<Submission> {
  if (submission.kind !== 'scripts') return submission;
  const { interpreter, folder } = submission;
  await rebuild(submission, product, { home, copy, interpreter, seconds });
  const command = submission.scripts[entry];
  const copied = command ? path.join(copy, path.relative(folder, command)) : undefined;
  return scriptsOf(copy, entry, copied, interpreter);
}

/** The submission whose entry file is given; a folder of scripts may not have one yet. */
export function submissionOf(
  lab: AnyLab,
  place: string,
  entry: string | undefined,
  isPython: boolean,
  interpreter: string,
): Submission {
  if (lab.kind === 'scripts' || !entry) {
    return scriptsOf(entry ? path.dirname(entry) : path.resolve(place), lab.entry, entry, interpreter);
  }
  return isPython ? { kind: 'python', entry, interpreter } : { kind: 'node', entry };
}

/**
 * The seed of a submission that is given none. The same file is judged by the same cases every time, so that no
 * verdict depends on luck; and nobody can tell beforehand by which.
 */
function seedOf(entry: string): number {
  return createHash('sha256').update(readFileSync(entry)).digest().readUInt32BE() >>> 1;
}

/** Whether it is a link to what lies elsewhere, and may be somebody else's. */
function leadsOut(entry: string): boolean {
  return !isWithin(realpathSync(entry), realpathSync(path.dirname(entry)));
}

/** The report of a clause that no entry file could be asked for. */
function refused(
  kind: 'missing' | 'load',
  got: string,
  clause: Clause<unknown>,
  lab: AnyLab,
  seed: number,
): ClauseReport {
  const told = { given: [], calls: [], expected: `${lab.entry}.py`, got, hint: en.hints[kind] };
  const failure = { kind, ...told, reproduce: '', seed, path: null, shrinks: 0 };
  return { ...skipped(clause), verdict: 'failed', failure };
}
