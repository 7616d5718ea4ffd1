import type { ClauseReport, FailureKind } from '../report/report.ts';

/** What became of a mutant. Only a broken contract in its own step counts as a kill. */
export type Fate =
  | { readonly status: 'killed'; readonly by: readonly string[] }
  | { readonly status: 'survived' }
  /** Clauses of steps before its own have failed. */
  | { readonly status: 'strayed'; readonly by: readonly string[] }
  /** It does not load, crashes or never answers: what was meant to be wrong was not put to the test. */
  | { readonly status: 'unfit'; readonly kind: FailureKind; readonly detail: string }
  | { readonly status: 'undecided'; readonly fault: string };

/** The fate of a mutant of `step`, by the reports of all clauses of that step and of clauses before it. */
export function fateOf(reports: readonly ClauseReport[], step: number): Fate {
  const undecided = reports.find(({ verdict }) => verdict === 'undecided');
  if (undecided) return { status: 'undecided', fault: undecided.fault ?? '' };
  const failures = reports.flatMap(({ id, failure }) => (failure ? [{ id, ...failure }] : []));
  const unfit = failures.find(({ kind }) => kind !== 'contract');
  if (unfit) return { status: 'unfit', kind: unfit.kind, detail: unfit.got };
  const own = (id: string) => id.startsWith(`${step}.`);
  const ids = failures.map(({ id }) => id);
  const strays = ids.filter((id) => !own(id));
  if (strays.length > 0) return { status: 'strayed', by: strays };
  return ids.length > 0 ? { status: 'killed', by: ids } : { status: 'survived' };
}
