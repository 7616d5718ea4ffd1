import type { KeyOf } from '../messages/texts.ts';
import type { SubjectFailureKind } from '../subject/subject.ts';
import type { Story } from './story.ts';

/** The result of a run, as plain data: what every format renders. Its JSON Schema is report.schema.json. */
export interface Report {
  readonly schemaVersion: 1;
  readonly lab: string;
  readonly submission: string;
  readonly verdict: Verdict;
  readonly seed: number;
  readonly seconds: number;
  /** What stood between the submission and the grader. */
  readonly isolation: Isolation;
  /** Why nothing could be judged at all. */
  readonly fault?: string;
  readonly steps: readonly StepReport[];
}

export type Verdict = 'passed' | 'failed' | 'undecided' | 'skipped';

/**
 * `bubblewrap`: namespaces of its own, in which it sees the system, itself and its cases. `user`: processes of a user who
 * owns nothing. `process`: no more than processes of its own. `none`: nothing of it was run.
 */
export type Isolation = 'bubblewrap' | 'user' | 'process' | 'none';

export interface StepReport {
  readonly step: number;
  readonly title: string;
  readonly verdict: Verdict;
  readonly seconds: number;
  readonly cases: number;
  readonly clauses: readonly ClauseReport[];
}

export interface ClauseReport {
  readonly id: string;
  readonly statement: string;
  readonly verdict: Verdict;
  /** Cases run, those of the shrinking left out. */
  readonly cases: number;
  readonly seconds: number;
  /** With the verdict `failed`. */
  readonly failure?: FailureReport;
  /** Why it is undecided: the grader's own fault. */
  readonly fault?: string;
}

export type FailureKind = 'contract' | 'budget' | SubjectFailureKind;

/** After these the other clauses of a step are not asked: they would fail for the same reason. */
export const stopping: ReadonlySet<FailureKind> = new Set(['load', 'missing', 'timeout']);

/** The smallest failing case that was found, in the notation of the submission's language. */
export interface FailureReport {
  readonly kind: FailureKind;
  /** The database before: a row a line. */
  readonly given: readonly string[];
  /** What was done, in order: a call a line with its outcome, and what other connections did in between. */
  readonly calls: readonly string[];
  readonly expected: string;
  readonly got: string;
  /** In English: what the case shows of its cause, else what the clause itself says. */
  readonly hint: string;
  /** The same by its parts, in English. */
  readonly story: Story;
  /** The same in the tongue of a learner who reads another. It is in no result file: see {@link toldFor}. */
  readonly learner?: Told;
  /** Of the part `hints` of the catalogues. Null where the case shows no cause that is known. */
  readonly hintKey: KeyOf<'hints'> | null;
  /** A script that shows the same failure without the grader. Empty where there is nothing to run. */
  readonly reproduce: string;
  readonly seed: number;
  /** fast-check's path to the case. */
  readonly path: string | null;
  /** How often the first failing case was made smaller. */
  readonly shrinks: number;
}

/** What there is in the tongue of whoever reads. */
export type Told = Pick<FailureReport, 'story' | 'reproduce'>;

/** What a learner is told of a failure. */
export function toldFor(failure: Told & { readonly learner?: Told }): Told {
  return failure.learner ?? failure;
}

/** One failure fails all; what could not be judged leaves all undecided; skipped parts say nothing. */
export function overall(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes('failed')) return 'failed';
  if (verdicts.includes('undecided')) return 'undecided';
  return verdicts.includes('passed') ? 'passed' : 'skipped';
}
