import { cut, fitted } from '../cut.ts';
import type { FormatOptions, Render } from '../formats.ts';
import { scoreOf, scoreOfStep } from '../score.ts';
import type { ShownReport, ShownStep } from '../shown.ts';
import { faultOfRun, jsonText, nameOfStep, tellStep, unjudged } from './telling.ts';

/*
 * The results.json of an external grader of PrairieLearn (docs/externalGrading.md, "Grading results"): a test a step. With
 * `gradable: false` "no points will be awarded or lost, and the student will not be penalized an attempt": that is the status
 * of what could not be judged.
 */

/** "this file should be limited to 1 MB" (the same place). */
const mostBytes = 1_000_000;

export const render: Render = (report, options) =>
  fitted(mostBytes, (most) => jsonText(result(report, options, most)));

function result(report: ShownReport, options: FormatOptions, most: number): object {
  const total = scoreOf(report, options);
  const tests = report.steps.map((step) => testOf(step, options, total.points !== null, most));
  if (total.points === null) {
    const reason = unjudged(faultOfRun(report));
    return { gradable: false, format_errors: [cut(reason, most)], tests };
  }
  const score = total.most > 0 ? total.points / total.most : Number(report.verdict === 'passed');
  return { gradable: true, score, tests };
}

/** If a test has no points, none is shown with points. */
function testOf(step: ShownStep, options: FormatOptions, scored: boolean, most: number): object {
  const { points, most: max_points } = scoreOfStep(step, options);
  return {
    name: nameOfStep(step),
    ...(scored ? { points, max_points } : {}),
    output: cut(tellStep(step), most),
  };
}
