import type { Change } from '../report/class.ts';
import type { ClauseReport, Report, StepReport, Verdict } from '../report/report.ts';
import { type ClassResult, sameParts } from './class-results.ts';

/** Whose verdict is another than it was, in the order of their names, with the steps and clauses, and what else is another. */
export function changesBetween(
  before: ReadonlyMap<string, ClassResult>,
  after: ReadonlyMap<string, ClassResult>,
): readonly Change[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.flatMap((name) => {
    const [old, now] = [before.get(name), after.get(name)];
    const [from, to] = [old?.report.verdict ?? 'absent', now?.report.verdict ?? 'absent'] as const;
    const steps = old && now ? changedSteps(old.report, now.report) : [];
    if (from === to && steps.length === 0) return [];
    return [{ name, from, to, steps, because: old && now ? reasonsFor(old, now) : [] }];
  });
}

function changedSteps(before: Report, after: Report): Change['steps'] {
  const numbers = new Set([...before.steps, ...after.steps].map(({ step }) => step));
  return [...numbers]
    .sort((a, b) => a - b)
    .flatMap((step) => {
      const [old, now] = [before, after].map(({ steps }) => steps.find((each) => each.step === step));
      const [from, to] = [old?.verdict ?? 'absent', now?.verdict ?? 'absent'] as const;
      const clauses = changedClauses(old, now);
      return from === to && clauses.length === 0 ? [] : [{ step, from, to, clauses }];
    });
}

/** Of a step that was not asked on one side no clause is named. */
function changedClauses(before: StepReport | undefined, after: StepReport | undefined): readonly string[] {
  if (!before || !after) return [];
  const verdicts = ({ clauses }: StepReport): ReadonlyMap<string, Verdict> =>
    new Map(clauses.map(({ id, verdict }: ClauseReport) => [id, verdict]));
  const [old, now] = [verdicts(before), verdicts(after)];
  return [...new Set([...old.keys(), ...now.keys()])].filter((id) => old.get(id) !== now.get(id)).sort();
}

function reasonsFor({ key: before }: ClassResult, { key: after }: ClassResult): Change['because'] {
  if (!before || !after) return ['unknown'];
  const same = sameParts(before, after);
  const others = (['submission', 'checks', 'options'] as const).filter((part) => !same.includes(part));
  return others.length > 0 ? others : ['unknown'];
}
