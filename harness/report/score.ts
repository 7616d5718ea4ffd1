import { stopping } from './report.ts';
import type { ShownReport, ShownStep } from './shown.ts';

/** How steps are worth points. */
export interface Scoring {
  /** By the number of a step; 1 for all others. */
  readonly points: ReadonlyMap<number, number>;
  /** A failed step has the share of its clauses that passed, instead of nothing. */
  readonly partial: boolean;
}

export interface Score {
  /** Null where it could not be judged: that is the grader's fault, and no zero. */
  readonly points: number | null;
  readonly most: number;
}

/** The points of a step, in hundredths. */
export function scoreOfStep({ step, clauses }: ShownStep, { points, partial }: Scoring): Score {
  const most = points.get(step) ?? 1;
  const having = (verdict: string) => clauses.filter((clause) => clause.verdict === verdict).length;
  const passed = having('passed');
  if (passed === clauses.length) return { points: most, most };
  if (having('failed') === 0) return { points: null, most };
  if (!partial) return { points: 0, most };
  const stopped = clauses.some(({ failure }) => failure && stopping.has(failure.kind));
  const unknown = having('undecided') + (stopped ? 0 : having('skipped')); // an interruption left those out
  return { points: unknown > 0 ? null : Math.round((100 * most * passed) / clauses.length) / 100, most };
}

/** The points of all steps together: null as soon as one of them could not be judged. */
export function scoreOf(report: ShownReport, scoring: Scoring): Score {
  const scores = report.steps.map((step) => scoreOfStep(step, scoring));
  const most = scores.reduce((sum, score) => sum + score.most, 0);
  if (report.fault !== undefined || scores.some(({ points }) => points === null))
    return { points: null, most };
  const points = scores.reduce((sum, score) => sum + (score.points ?? 0), 0);
  return { points: Math.round(100 * points) / 100, most };
}
