import type { FailureKind, StepReport } from '../report/report.ts';

/** What became of a mutant. Only a broken contract in its own step counts as a kill. */
export type Fate =
  | { readonly status: 'killed'; readonly by: readonly string[] }
  | { readonly status: 'survived' }
  /** A step before its own has failed. */
  | { readonly status: 'strayed'; readonly by: readonly string[] }
  /** It does not load, crashes or never answers: what was meant to be wrong was not put to the test. */
  | { readonly status: 'unfit'; readonly kind: FailureKind; readonly detail: string }
  | { readonly status: 'undecided' };

/** The fate of a mutant of `step`, by the reports of the steps up to it. */
export function fateOf(reports: readonly StepReport[], step: number): Fate {
  const clauses = reports.flatMap((report) =>
    report.clauses.map((clause) => ({ ...clause, step: report.step })),
  );
  if (clauses.some(({ verdict }) => verdict === 'undecided')) return { status: 'undecided' };
  const unfit = clauses.flatMap(({ failure }) =>
    failure && failure.kind !== 'contract' ? [failure] : [],
  )[0];
  if (unfit) return { status: 'unfit', kind: unfit.kind, detail: unfit.got };
  const failed = clauses.filter(({ verdict }) => verdict === 'failed');
  const ids = (some: typeof failed) => some.map(({ id }) => id);
  const early = failed.filter((clause) => clause.step < step);
  if (early.length > 0) return { status: 'strayed', by: ids(early) };
  return failed.length > 0 ? { status: 'killed', by: ids(failed) } : { status: 'survived' };
}
