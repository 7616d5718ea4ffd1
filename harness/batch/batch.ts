import { cpSync, mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { hashOf, versionOfChecks } from '../checks-version.ts';
import { undecided } from '../grade.ts';
import { judge, type Request } from '../judge.ts';
import { locate } from '../locate.ts';
import type { AnyLab } from '../registry.ts';
import { harmless } from '../report/harmless.ts';
import type { Progress } from '../report/progress.ts';
import type { Report } from '../report/report.ts';
import { openScratch } from '../scratch.ts';
import { findInterpreter } from '../subject/interpreter.ts';
import { UsageError } from '../usage-error.ts';
import type { ClassResults, ResultKey } from './class-results.ts';
import { contentOf } from './content.ts';
import { GradeThread } from './grade-threads.ts';
import type { Pupil } from './roster.ts';

/** What is asked of every submission. */
export type Asked = Pick<
  Request,
  'steps' | 'seed' | 'runs' | 'budget' | 'interpreter' | 'rebuild' | 'requireSandbox'
>;

export interface Batch {
  readonly lab: AnyLab;
  readonly pupils: readonly Pupil[];
  readonly asked: Asked;
  /** Submissions at a time. */
  readonly jobs: number;
  readonly results: ClassResults;
  readonly progress: Progress;
  readonly onWarning: (warning: string) => void;
  readonly interrupted: AbortSignal;
}

/** Grades what has no verdict yet, and adds each result as it comes. What an interruption cuts short is not added. */
export async function gradeClass(batch: Batch): Promise<void> {
  const { lab, pupils, asked, jobs, results, progress, interrupted } = batch;
  const [checks, options] = [versionOfChecks(), hashOfOptions(lab, asked)];
  const keyed = pupils.map((pupil) => ({
    pupil,
    key: { submission: contentOf(pupil.place), checks, options } satisfies ResultKey,
  }));
  const queue = keyed.filter(({ pupil, key }) => !results.has(pupil.name, key));
  const scratch = openScratch();
  const warnOnce = once(batch.onWarning);
  const work = async (thread: GradeThread) => {
    for (let next = queue.shift(); next && !interrupted.aborted; next = queue.shift()) {
      const { pupil, key } = next;
      const report = await reportOf(batch, pupil, thread, scratch.folder, warnOnce);
      if (interrupted.aborted) return;
      results.add({ schemaVersion: 1, name: pupil.name, key, report });
      progress.done();
    }
  };
  const threads = Array.from({ length: Math.min(jobs, queue.length) }, () => new GradeThread());
  progress.begin(lab.id, pupils.length, pupils.length - queue.length);
  try {
    await Promise.all(threads.map(work));
  } finally {
    progress.end();
    await Promise.all(threads.map((thread) => thread.close()));
    scratch.remove();
  }
}

/**
 * The verdict on one submission. Whatever goes wrong beside it concerns it alone, but for what all have in common: throws a
 * {@link UsageError} where the machine lacks what was asked for.
 */
async function reportOf(
  { lab, asked, interrupted }: Batch,
  { place, isAlone, name }: Pupil,
  thread: GradeThread,
  folder: string,
  onWarning: (warning: string) => void,
): Promise<Report> {
  const unjudgedFor = (error: unknown) => unjudged(lab, place, asked, (error as Error).message);
  let judged = place;
  try {
    if (isAlone) judged = aloneIn(path.join(folder, hashOf(name)), lab, place);
    locate({ lab, place: judged, seed: asked.seed, interpreter: asked.interpreter });
  } catch (error) {
    return unjudgedFor(error); // two entry files, say
  }
  try {
    const report = await judge({
      ...{ lab, ...asked, place: judged, onWarning, interrupted, onClause: () => {} },
      grade: (options) => thread.grade(options),
    });
    return isAlone ? { ...report, submission: place } : report;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    return unjudgedFor(error);
  }
}

/** A file that lies among others' files is copied to where it is alone, under the name that the lab asks for. */
function aloneIn(folder: string, lab: AnyLab, file: string): string {
  mkdirSync(folder, { recursive: true });
  const entry = path.join(folder, lab.entry + path.extname(file));
  cpSync(realpathSync(file), entry);
  return entry;
}

/** The report of a submission that could not be judged. */
function unjudged(lab: AnyLab, place: string, { steps, seed }: Asked, fault: string): Report {
  const asked = lab.steps.filter(({ number }) => steps?.includes(number) ?? true);
  return {
    ...{ schemaVersion: 1, lab: lab.id, submission: place, verdict: 'undecided', seed: seed ?? 0 },
    ...{ seconds: 0, isolation: 'none', fault: harmless(fault) },
    steps: asked.map(({ number, title, clauses }) => ({
      ...{ step: number, title, verdict: 'undecided', seconds: 0, cases: 0 },
      clauses: clauses.map((clause) => undecided(clause, fault)),
    })),
  };
}

/** All that is asked, and the Python that runs it. */
function hashOfOptions(lab: AnyLab, { interpreter, ...others }: Asked): string {
  return hashOf(JSON.stringify([lab.id, findInterpreter(interpreter ?? 'python3') ?? null, others]));
}

/** Warnings are alike for all. */
function once(tell: (warning: string) => void): (warning: string) => void {
  const told = new Set<string>();
  return (warning) => {
    if (told.has(warning)) return;
    told.add(warning);
    tell(warning);
  };
}
