import type { ClauseReport, FailureReport } from '../report/report.ts';
import type { ReferenceLanguage } from './mutants.ts';

/** What `labcheck validate` found, as plain data: what every format renders. Its JSON Schema is validation.schema.json. */
export interface Validation {
  readonly schemaVersion: 1;
  readonly lab: string;
  /** `failed`: a correct submission was rejected, or a mutant is neither killed nor listed as equivalent. */
  readonly verdict: 'passed' | 'failed' | 'undecided';
  readonly seeds: readonly number[];
  readonly seconds: number;
  readonly steps: readonly { readonly step: number; readonly title: string }[];
  /** References, variants and the identity mutant: all have to pass, or nothing else is believed. */
  readonly baseline: readonly BaselineResult[];
  readonly mutants: readonly MutantResult[];
}

export interface BaselineResult {
  /** `reference/python`, `variant/wal`, `identity/typescript`. */
  readonly name: string;
  readonly verdict: 'passed' | 'failed' | 'undecided';
  /** Seeds on which all steps passed. */
  readonly passedOn: number;
  /** The first clause that failed, and on which seed. */
  readonly failure?: { readonly clause: string; readonly seed: number; readonly report: FailureReport };
  readonly fault?: string;
}

/**
 * What became of a mutant. Only `killed` (by a broken contract, in its own step, no step before it failing, on
 * every seed) and `equivalent` (listed with a reason, and seen to survive) count as they should.
 */
export type MutantStatus =
  | 'killed'
  | 'killed elsewhere'
  | 'crash'
  | 'timeout'
  | 'stillborn'
  | 'survived'
  | 'flaky'
  | 'equivalent'
  | 'invalid'
  | 'undecided';

export interface MutantResult {
  /** Unique within language and lab. */
  readonly id: string;
  readonly language: ReferenceLanguage;
  readonly origin: 'worksheet' | 'field' | 'operator' | 'canary';
  /** The SQL mutation operator, for those that one made. */
  readonly operator?: string;
  /** The step that has to catch it; for an operator's mutant the first that did, or null. */
  readonly step: number | null;
  /** The clause that has to catch it, where it names one. */
  readonly clause?: string;
  readonly why: string;
  /** What differs from the source, in the order of the source. */
  readonly changes: readonly SourceChange[];
  readonly status: MutantStatus;
  /** Seeds on which it was killed. */
  readonly killedOn: number;
  /** Why it is not killed, or why no check can tell it from the original. */
  readonly detail?: string;
  /** A step each, as the first seed saw it; steps that were not asked are `skipped`. */
  readonly cells: readonly MatrixCell[];
}

export interface SourceChange {
  /** Relative to the submission's folder. */
  readonly file: string;
  /** Places in the source as it was: lines and columns count from 1, the end is exclusive. */
  readonly start: Place;
  readonly end: Place;
  readonly original: string;
  readonly replacement: string;
}

export interface Place {
  readonly line: number;
  readonly column: number;
}

const deaths: readonly MutantStatus[] = ['killed', 'crash', 'timeout', 'stillborn'];

/**
 * Whether a mutant is what it should be. A canary may die of anything. An operator may make what SQLite refuses: that
 * says nothing of the checks.
 */
export function isAsItShouldBe({ origin, status }: MutantResult): boolean {
  if (origin === 'canary') return deaths.includes(status);
  return status === 'killed' || status === 'equivalent' || (origin === 'operator' && status === 'stillborn');
}

/** One mutant before one step. */
export interface MatrixCell {
  readonly step: number;
  readonly verdict: ClauseReport['verdict'];
  /** Cases run: a few a clause where the step is not the mutant's own. */
  readonly cases?: number;
  /** The clauses that failed, each with its smallest failing case. */
  readonly failures: readonly { readonly clause: string; readonly report: FailureReport }[];
}
