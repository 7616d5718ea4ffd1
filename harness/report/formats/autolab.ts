import { cut, fitted } from '../cut.ts';
import type { FormatOptions, Render } from '../formats.ts';
import { harmlessJson } from '../harmless.ts';
import { scoreOfStep } from '../score.ts';
import type { ShownClause, ShownReport } from '../shown.ts';
import { brief, nameOfClause, nameOfStep, notAsked, tellReport, unjudged } from './telling.ts';

/*
 * What an autograder of Autolab prints: words, the feedback in stages (docs/features/formatted-feedback.md), and as the last line
 * the scores of problems named `Step 1`, `Step 2` … (docs/lab.md, "Writing Autograders"). A step that could not be judged
 * has no score there. The line stays even without any: where it is missing, Autolab gives all problems zero.
 */

/** Tango keeps so much of an output: MAX_OUTPUT_FILE_SIZE of its config.template.py. */
const mostBytes = 1000 * 1024;

export const render: Render = (report, options) =>
  fitted(mostBytes, (most) =>
    [cut(tellReport(report), most), oneLine(feedback(report, most)), oneLine(scores(report, options))].join(
      '\n',
    ),
  );

function feedback({ steps }: ShownReport, most: number): object {
  const stages = steps.map((step) => [
    nameOfStep(step),
    Object.fromEntries(step.clauses.map((clause) => [nameOfClause(clause), toldBriefly(clause, most)])),
  ]);
  return { _presentation: 'semantic', stages: steps.map(nameOfStep), ...Object.fromEntries(stages) };
}

function toldBriefly({ verdict, failure, fault }: ShownClause, most: number): object | string {
  if (verdict === 'passed') return { passed: true };
  if (failure) return { passed: false, hint: cut(brief(failure), most) };
  return verdict === 'skipped' ? notAsked : cut(unjudged(fault), most);
}

/** Names of problems have no colon: Autolab rewrites `word:` in this line before it reads it (parseAutoresult). */
function scores({ steps }: ShownReport, options: FormatOptions): object {
  const known = steps.flatMap((step) => {
    const { points } = scoreOfStep(step, options);
    return points === null ? [] : [[`Step ${step.step}`, points]];
  });
  return { scores: Object.fromEntries(known) };
}

function oneLine(value: object): string {
  return harmlessJson(JSON.stringify(value));
}
