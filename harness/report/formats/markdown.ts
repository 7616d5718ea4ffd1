import { staff } from '../../messages/staff.ts';
import { textsOf } from '../../messages/texts.ts';
import { cut, fitted } from '../cut.ts';
import type { FormatOptions } from '../formats.ts';
import { summaryOf } from '../pretty.ts';
import { type Score, scoreOf, scoreOfStep } from '../score.ts';
import type { ShownClause, ShownReport } from '../shown.ts';
import { nameOfClause, nameOfStep, tellClause, unjudged } from './telling.ts';

/** Bytes of the summary of a step of a job: a longer one is not shown at all. (docs.github.com, "Adding a job summary") */
export const mostMarkdown = 1 << 20;

/** The result as GitHub's Markdown, in at most so many bytes. */
export function markdown(report: ShownReport, options: FormatOptions, bytes: number): string {
  return fitted(bytes - 1, (most) => summary(report, options, most));
}

function summary(report: ShownReport, options: FormatOptions, most: number): string {
  const total = scoreOf(report, options);
  const rows = report.steps.map((step) => {
    const passed = step.clauses.filter(({ verdict }) => verdict === 'passed').length;
    return [
      inline(nameOfStep(step)),
      staff.verdicts[step.verdict],
      `${passed} of ${step.clauses.length}`,
      pointsOf(scoreOfStep(step, options)),
    ];
  });
  const table = [
    ['step', 'verdict', 'clauses passed', 'points'],
    ['---', '---', '---', '---'],
    ...rows,
    ['', staff.verdicts[report.verdict], '', pointsOf(total)],
  ].map((cells) => `| ${cells.join(' | ')} |`);
  const clauses = report.steps.flatMap((step) => step.clauses);
  const first = clauses.find(({ failure }) => failure);
  return [
    `## ${inline(report.lab)}: ${staff.verdicts[report.verdict]}`,
    '',
    ...(report.fault === undefined ? [] : [inline(unjudged(report.fault)), '']),
    ...table,
    '',
    inline(`${summaryOf(report, textsOf('en'))}, isolation: ${report.isolation}`),
    ...clauses.flatMap((clause) => detail(clause, clause === first, most)),
  ].join('\n');
}

function pointsOf({ points, most }: Score): string {
  return points === null ? 'not known' : `${points} of ${most}`;
}

/** What is known of a clause that did not pass; a failure is folded, unless it is the first. */
function detail(clause: ShownClause, isOpen: boolean, most: number): string[] {
  if (clause.verdict === 'undecided') {
    return ['', `**${inline(nameOfClause(clause))}**: ${inline(cut(unjudged(clause.fault), most))}`];
  }
  if (!clause.failure) return [];
  return [
    '',
    isOpen ? '<details open>' : '<details>',
    `<summary>${inline(nameOfClause(clause))}</summary>`,
    `<pre>${escaped(cut(tellClause(clause), most))}</pre>`,
    '</details>',
  ];
}

/** In a line: references to characters are never markup, be it Markdown's, HTML's or a name that notifies somebody. */
function inline(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Within `pre`, where Markdown ends only at its end tag. */
function escaped(text: string): string {
  return text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}
