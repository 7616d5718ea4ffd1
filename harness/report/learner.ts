import type { Step } from '../contract.ts';
import type { Texts } from '../messages/texts.ts';
import type { AnyLab } from '../registry.ts';
import type { ClauseReport, FailureReport } from './report.ts';

/* What of a report a lab says, in the tongue of whoever reads; in English where the lab does not speak it. */

export function statementOf(
  lab: AnyLab | undefined,
  { id, statement }: Pick<ClauseReport, 'id' | 'statement'>,
  { tongue }: Texts,
): string {
  return lab?.messages?.[tongue]?.clauses[id]?.statement ?? statement;
}

export function titleOf(
  lab: AnyLab | undefined,
  { number, title }: Pick<Step<unknown>, 'number' | 'title'>,
  { tongue }: Texts,
): string {
  return lab?.messages?.[tongue]?.steps[number] ?? title;
}

/** Why a change is wrong that the worksheet asks about. */
export function whyOf(lab: AnyLab, { id, why }: { id: string; why: string }, { tongue }: Texts): string {
  return lab.messages?.[tongue]?.mutants?.[id] ?? why;
}

/** What leads on: the cause that the case shows, else what the clause says; where there is no outcome, what the kind of failure says. */
export function hintOf(
  lab: AnyLab | undefined,
  id: string,
  { kind, hint, hintKey }: Pick<FailureReport, 'kind' | 'hint' | 'hintKey'>,
  texts: Texts,
): string {
  if (hint === '') return '';
  if (kind !== 'contract') return texts.say('telling', `hint.${kind}`);
  if (hintKey !== null) return texts.say('hints', hintKey);
  return lab?.messages?.[texts.tongue]?.clauses[id]?.hint ?? hint;
}
