import type { AnyLab } from '../registry.ts';
import type { Change, ClassEntry } from './class.ts';
import { harmlessLine } from './harmless.ts';

/** Changes that are shown at a terminal; all of them are in changes.csv. */
const mostChanges = 20;

/** A class in words, for staff: how many passed, step by step, and whose verdict changed. */
export function prettyClass(
  lab: AnyLab,
  entries: readonly ClassEntry[],
  changes: readonly Change[] | undefined,
  folder: string,
): string {
  const having = (verdict: string) => entries.filter(({ report }) => report.verdict === verdict).length;
  const steps = lab.steps.flatMap(({ number, title }) => {
    const asked = entries.flatMap(({ report }) => report.steps.filter(({ step }) => step === number));
    const passed = asked.filter(({ verdict }) => verdict === 'passed').length;
    return asked.length === 0 ? [] : [`  ${number}  ${title}: ${passed} of ${asked.length} passed`];
  });
  const unjudged = entries
    .filter(({ report }) => report.verdict === 'undecided')
    .map(({ name, report }) => harmlessLine(`  ? ${name}: ${report.fault ?? 'see results.jsonl'}`));
  const counts = `${having('passed')} passed, ${having('failed')} failed, ${having('undecided')} could not be judged`;
  return [
    ...steps,
    ...unjudged,
    ...(changes ? changed(changes) : []),
    `${lab.id}: ${entries.length} submissions, ${counts}. The report is ${folder}/report.html.`,
  ].join('\n');
}

function changed(changes: readonly Change[]): readonly string[] {
  const lines = changes.slice(0, mostChanges).map(({ name, from, to, steps, because }) => {
    const clauses = steps.flatMap((step) => step.clauses).join(', ');
    const why = because.length > 0 ? `; another ${because.join(' and ')}` : '';
    return harmlessLine(`  ${name}: ${from} -> ${to}${clauses && ` (${clauses})`}${why}`);
  });
  const more = changes.length - lines.length;
  return [
    `changed: ${changes.length}`,
    ...lines,
    ...(more > 0 ? [`  and ${more} more, in changes.csv`] : []),
  ];
}
