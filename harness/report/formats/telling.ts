import { faultSaid } from '../../messages/faults.ts';
import { textsOf } from '../../messages/texts.ts';
import { harmless, harmlessJson, harmlessLine } from '../harmless.ts';
import { Pretty } from '../pretty.ts';
import type { ShownClause, ShownFailure, ShownReport, ShownStep } from '../shown.ts';

/* Texts that the formats share. All of them are harmless in terminals and logs; what else a medium obeys is the format's. */

const words = new Pretty(undefined);

/** A step in a line. */
export function nameOfStep({ step, title }: ShownStep): string {
  return harmlessLine(`${step} ${title}`);
}

/** A clause in a line. */
export function nameOfClause({ id, statement }: ShownClause): string {
  return harmlessLine(`${id} ${statement}`);
}

/** A failure in a line: its kind, and what came instead of what. */
export function brief({ kind, hint, expected, got, seed }: ShownFailure): string {
  if (seed === undefined) return harmlessLine(hint ? `${kind}: ${hint}` : kind);
  return harmlessLine(`${kind}: expected ${expected}, got ${got}`);
}

/** All that is known of a clause that failed. */
export function tellClause(clause: ShownClause): string {
  return harmless(words.failures([clause]).trim());
}

/** A step's clauses in a line each, and all that is known of those that failed. */
export function tellStep({ clauses }: ShownStep): string {
  const lines = clauses.map((clause) => words.clause(clause));
  return harmless([...lines, words.failures(clauses)].join('\n').trimEnd());
}

/** A run in words. */
export function tellReport(report: ShownReport, pretty = words): string {
  const lines = report.steps.flatMap(({ clauses }) => clauses.map((clause) => pretty.clause(clause)));
  return harmless([...lines, pretty.rest(report)].join('\n'));
}

/** Why a clause, a step or the run could not be judged. */
export function unjudged(fault: string | undefined): string {
  return harmlessLine(textsOf('en').say('terminal', 'fault', { fault: fault ?? faultSaid('unfinished') }));
}

/** The fault of a step that could not be judged: the first of its clauses'. */
export function faultOf({ clauses }: ShownStep): string | undefined {
  return clauses.find(({ fault }) => fault !== undefined)?.fault;
}

/** Why the run, or else the first of its steps, could not be judged. */
export function faultOfRun({ fault, steps }: Pick<ShownReport, 'fault' | 'steps'>): string | undefined {
  return fault ?? steps.map(faultOf).find((each) => each !== undefined);
}

/** Why a clause was not asked. */
export const notAsked = 'not asked';

/** JSON for a file, readable and harmless. */
export function jsonText(value: unknown, isKept = (_name: string) => true): string {
  return harmlessJson(JSON.stringify(value, (name, member) => (isKept(name) ? member : undefined), 2));
}
