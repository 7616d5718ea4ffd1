import type { ClauseReport } from '../report/report.ts';
import type { MutantStatus } from './validation.ts';

/** What became of a submission on one seed: the reports of the clauses that were asked. */
export interface Observation {
  readonly reports: readonly ClauseReport[];
  /** Why not all of them could be asked. */
  readonly ended?: {
    readonly status: 'stillborn' | 'crash' | 'timeout' | 'undecided';
    readonly detail: string;
  };
}

/** What became of a mutant on one seed. */
export interface Fate {
  readonly status: Exclude<MutantStatus, 'invalid' | 'flaky' | 'equivalent'>;
  readonly detail?: string;
}

/** What has to catch a mutant: a step, of it a clause where one is named; null where any may. */
export interface Target {
  readonly step: number;
  readonly clause?: string | undefined;
}

/** The number of the step that a clause is of, by the clause's id. */
export function stepOf(clause: string): number {
  return Number.parseInt(clause, 10);
}

/** What a failure of another kind than `contract` makes of a mutant. */
export const unfit = {
  load: 'stillborn',
  missing: 'stillborn',
  crash: 'crash',
  timeout: 'timeout',
  budget: 'timeout',
} as const;

/**
 * The fate of a mutant on one seed. A kill is a broken contract in the target's step, by its clause where it names one,
 * while nothing else is wrong with that step, and nothing at all with those before it.
 */
export function fateOf({ reports, ended }: Observation, target: Target | null): Fate {
  if (ended) return ended;
  const undecided = reports.find(({ verdict }) => verdict === 'undecided');
  if (undecided) return { status: 'undecided', detail: undecided.fault ?? '' };
  const failures = reports.flatMap(({ id, failure }) =>
    failure ? [{ id, step: stepOf(id), ...failure }] : [],
  );
  const first = Math.min(...failures.map(({ step }) => step));
  const last = target?.step ?? first;
  for (const { id, step, kind, got } of failures) {
    if (step <= last && kind !== 'contract') return { status: unfit[kind], detail: `${id}: ${got}` };
  }
  if (failures.length === 0) return { status: 'survived' };
  if (!target) return { status: 'killed' };
  const own = failures.filter(({ step }) => step === target.step).map(({ id }) => id);
  if (first === target.step && (target.clause === undefined || own.includes(target.clause)))
    return { status: 'killed' };
  const others = failures.filter(({ step }) => step === first).map(({ id }) => id);
  const due = target.clause ?? `a clause of step ${target.step}`;
  return { status: 'killed elsewhere', detail: `by ${others.join(', ')}; due is ${due}` };
}

/** The clause that killed, to be asked first the next time. */
export function killerOf({ reports }: Observation): string | undefined {
  return reports.find(({ failure }) => failure?.kind === 'contract')?.id;
}

/** All seeds together: `flaky` where only some of them killed. */
export function overSeeds(fates: readonly Fate[]): Fate & { readonly flaky: boolean } {
  const undecided = fates.find(({ status }) => status === 'undecided');
  if (undecided) return { ...undecided, flaky: false };
  const other = fates.find(({ status }) => status !== 'killed');
  if (!other) return { status: 'killed', flaky: false };
  return { ...other, flaky: fates.some(({ status }) => status === 'killed') };
}
