import type { ClauseReport, FailureReport, Report, StepReport } from './report.ts';

/*
 * A report as it may be shown. Where its cases are hidden it has nothing by which they could be told or drawn again:
 * the clause, the verdict, the kind of failure and the hint are all that is left.
 */

export interface ShownFailure extends Omit<FailureReport, 'seed'> {
  readonly seed?: number;
}

export interface ShownClause extends Omit<ClauseReport, 'failure'> {
  readonly failure?: ShownFailure;
}

export interface ShownStep extends Omit<StepReport, 'clauses'> {
  readonly clauses: readonly ShownClause[];
}

/** Every {@link Report} is one. */
export interface ShownReport extends Omit<Report, 'seed' | 'steps'> {
  readonly seed?: number;
  readonly casesHidden?: true;
  readonly steps: readonly ShownStep[];
}

/** The clause whose failure tells this one's, too: that there is no submission, or none that can be loaded, is told once. */
export function tellerOf(clause: ShownClause, clauses: readonly ShownClause[]): ShownClause | undefined {
  const { failure } = clause;
  if (!failure || !['load', 'missing'].includes(failure.kind)) return failure && clause;
  const isSame = (other: ShownFailure) => other.kind === failure.kind && other.got === failure.got;
  return clauses.find((other) => other.failure && isSame(other.failure));
}

/** The clauses whose failures are told. */
export function clausesToTell(clauses: readonly ShownClause[]): readonly ShownClause[] {
  return clauses.filter((clause) => tellerOf(clause, clauses) === clause);
}

/** The report without the inputs, expected values, outcomes, scripts and seeds of its failures. */
export function withoutCases({ seed: _, steps, ...rest }: Report): ShownReport {
  return {
    ...rest,
    casesHidden: true,
    steps: steps.map((step) => ({ ...step, clauses: step.clauses.map(withoutCase) })),
  };
}

function withoutCase({ failure, ...clause }: ClauseReport): ShownClause {
  if (!failure) return clause;
  const { kind, hint, hintKey } = failure;
  const story = { before: [], moments: [], expected: '', got: '' };
  const nothing = {
    story,
    given: [],
    calls: [],
    expected: '',
    got: '',
    reproduce: '',
    path: null,
    shrinks: 0,
  };
  return { ...clause, failure: { kind, hint, hintKey, ...nothing } };
}
