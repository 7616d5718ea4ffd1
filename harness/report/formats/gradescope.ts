import { cut, fitted } from '../cut.ts';
import type { Render } from '../formats.ts';
import { scoreOf, scoreOfStep } from '../score.ts';
import { jsonText, nameOfStep, tellStep, unjudged } from './telling.ts';

/*
 * Gradescope's results.json (gradescope-autograders.readthedocs.io/en/latest/specs, "Output format"): a test a step. It wants
 * a score of the whole or of each test; a result with neither is that of an autograder that failed, which is what it is where
 * something could not be judged. All texts are said to be plain: nothing in them is markup.
 */

/** Gradescope names no limit; as much as others take. */
const mostBytes = 1_000_000;

export const render: Render = (report, options) =>
  fitted(mostBytes, (most) => {
    const { points } = scoreOf(report, options);
    const { lab, verdict, seed, isolation, fault } = report;
    return jsonText({
      ...(points === null ? {} : { score: points }),
      execution_time: report.seconds,
      ...(fault === undefined ? {} : { output: cut(unjudged(fault), most) }),
      output_format: 'text',
      test_output_format: 'text',
      test_name_format: 'text',
      visibility: 'visible',
      extra_data: { lab, verdict, isolation, ...(seed === undefined ? {} : { seed }) },
      tests: report.steps.map((step) => {
        const score = scoreOfStep(step, options);
        return {
          name: nameOfStep(step),
          number: String(step.step),
          ...(points === null ? {} : { score: score.points, max_score: score.most }),
          ...(step.verdict === 'failed' ? { status: 'failed' } : {}),
          ...(step.verdict === 'passed' && score.points !== null ? { status: 'passed' } : {}),
          output: cut(tellStep(step), most),
          output_format: 'text',
          visibility: 'visible',
        };
      }),
    });
  });
