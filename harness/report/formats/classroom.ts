import { cut, fitted } from '../cut.ts';
import type { FormatOptions, Render } from '../formats.ts';
import { harmlessJson } from '../harmless.ts';
import { scoreOf, scoreOfStep } from '../score.ts';
import type { ShownReport, ShownStep } from '../shown.ts';
import { faultOf, nameOfStep, tellStep, unjudged } from './telling.ts';

/*
 * The output `result` of an autograder of GitHub Classroom, as its reporter reads it: JSON in base64
 * (classroom-resources/autograding-grading-reporter, src/main.js; classroom-resources/autograding-python-grader). The points
 * are the sum of the tests' scores; with a `max_score` of 0 it reports none, and the status `error` fails the job.
 */

/** The reporter gets it by an environment variable, of which Linux allows 128 KiB (MAX_ARG_STRLEN), the name included. */
const mostBase64 = 120_000;

export const render: Render = (report, options) =>
  fitted(mostBase64, (most) =>
    Buffer.from(harmlessJson(JSON.stringify(result(report, options, most)))).toString('base64'),
  );

function result(report: ShownReport, options: FormatOptions, most: number): object {
  const total = scoreOf(report, options);
  const status = { passed: 'pass', failed: 'fail', undecided: 'error', skipped: 'error' }[report.verdict];
  const known = total.points !== null;
  return {
    version: 1,
    status: known ? status : 'error',
    max_score: known ? total.most : 0,
    ...(report.fault === undefined ? {} : { message: cut(unjudged(report.fault), most) }),
    tests: report.steps.map((step) => testOf(step, options, known, most)),
  };
}

function testOf(step: ShownStep, options: FormatOptions, scored: boolean, most: number): object {
  const { points } = scoreOfStep(step, options);
  const failed = step.verdict === 'failed';
  const passed = points !== null && !failed;
  return {
    name: nameOfStep(step),
    status: failed ? 'fail' : passed ? 'pass' : 'error',
    ...(scored ? { score: points } : {}),
    ...(passed ? {} : { message: cut(failed ? tellStep(step) : unjudged(faultOf(step)), most) }),
    execution_time: `${step.seconds.toFixed(2)}s`,
  };
}
