import { cut, unitsIn } from '../cut.ts';
import type { Render } from '../formats.ts';
import { harmless } from '../harmless.ts';
import type { ShownClause, ShownReport, ShownStep } from '../shown.ts';
import { faultOfRun, jsonText, nameOfClause, notAsked, tellClause, unjudged } from './telling.ts';

/*
 * The results.json of a test runner of Exercism, version 3 (exercism.org/docs/building/tooling/test-runners/interface): a test a
 * clause, its step as the task. `error` is the status of the whole where no test could be run: of what could not be judged,
 * and of a submission that cannot be loaded. It has no status for what was not asked: that is `error`, too, and says so.
 */

/** "The top level message value is limited to 65535 characters", fewer if they take more than a byte. */
const mostMessage = unitsIn(65_535);

export const render: Render = (report) => {
  const error = errorOf(report);
  const tests = report.steps.flatMap((step) => step.clauses.map((clause) => testOf(step, clause)));
  return jsonText({
    version: 3,
    status: error === undefined ? (report.verdict === 'passed' ? 'pass' : 'fail') : 'error',
    message: error === undefined ? null : cut(error, mostMessage),
    tests,
  });
};

/** Why nothing could be run, or undefined. */
function errorOf(report: ShownReport): string | undefined {
  const { verdict, steps } = report;
  if (verdict === 'undecided' || verdict === 'skipped') {
    return unjudged(faultOfRun(report));
  }
  const clauses = steps.flatMap((step) => step.clauses);
  const failed = clauses.filter(({ failure }) => failure);
  const runs =
    clauses.some((clause) => clause.verdict === 'passed') ||
    failed.some(({ failure }) => failure?.kind !== 'load' && failure?.kind !== 'missing');
  return runs ? undefined : failed.slice(0, 1).map(tellClause).join('');
}

function testOf({ step }: ShownStep, clause: ShownClause): object {
  const { verdict, failure, fault } = clause;
  const message = failure ? tellClause(clause) : verdict === 'undecided' ? unjudged(fault) : notAsked;
  return {
    name: nameOfClause(clause),
    status: ({ passed: 'pass', failed: 'fail', undecided: 'error', skipped: 'error' } as const)[verdict],
    message: verdict === 'passed' ? null : cut(message, mostMessage),
    ...(failure && failure.calls.length > 0
      ? { test_code: cut(harmless(failure.calls.join('\n')), mostMessage) }
      : {}),
    task_id: step,
  };
}
