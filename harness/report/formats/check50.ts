import type { Render } from '../formats.ts';
import { harmless, harmlessLine } from '../harmless.ts';
import type { ShownClause, ShownStep } from '../shown.ts';
import { brief, jsonText, nameOfClause, notAsked, unjudged } from './telling.ts';

/*
 * What `check50 --output json` writes (cs50.github.io/check50/json_specification.html): a check a clause. `passed` is null where
 * a check was skipped or ended by an unexpected error, which `cause.error` tells; if nothing could be judged, `error` stands
 * in place of the results. check50 has no limits.
 */

export const render: Render = ({ lab, fault, steps }, { version }) =>
  jsonText({
    slug: lab,
    ...(fault === undefined
      ? { results: steps.flatMap((step) => step.clauses.map((clause) => checkOf(step, clause))) }
      : { error: errorOf(fault) }),
    version,
  });

function checkOf(step: ShownStep, clause: ShownClause): object {
  const { verdict, failure } = clause;
  return {
    name: nameOfCheck(clause),
    description: nameOfClause(clause),
    passed: ({ passed: true, failed: false, undecided: null, skipped: null } as const)[verdict],
    log: failure ? failure.calls.map(harmlessLine) : [],
    cause: causeOf(clause),
    data: {},
    dependency: verdict === 'skipped' ? dependencyOf(step) : null,
  };
}

function causeOf({ verdict, failure, fault }: ShownClause): object | null {
  if (verdict === 'passed') return null;
  if (verdict === 'skipped') return { rationale: notAsked, help: null };
  if (!failure) return { rationale: unjudged(fault), help: null, error: errorOf(fault) };
  const { expected, got, hint, seed } = failure;
  return {
    rationale: brief(failure),
    help: hint ? harmless(hint) : null,
    ...(seed === undefined ? {} : { expected: harmless(expected), actual: harmless(got) }),
  };
}

function errorOf(fault: string | undefined): object {
  return { type: 'Undecided', value: unjudged(fault), traceback: [], data: {} };
}

function nameOfCheck({ id }: ShownClause): string {
  return `clause_${id.replace('.', '_')}`;
}

/** The check without which a skipped one was not asked: the first that failed. */
function dependencyOf({ clauses }: ShownStep): string | null {
  const failed = clauses.find(({ verdict }) => verdict === 'failed');
  return failed ? nameOfCheck(failed) : null;
}
