import { stringify } from 'yaml';
import type { Render } from '../formats.ts';
import { harmless } from '../harmless.ts';
import type { Verdict } from '../report.ts';
import type { ShownClause, ShownStep } from '../shown.ts';
import { brief, faultOfRun, nameOfClause, nameOfStep, notAsked, unjudged } from './telling.ts';

/*
 * TAP 14 (testanything.org/tap-version-14-specification.html): a subtest a step, a test point a clause, YAML diagnostics.
 * Undecided is `# SKIP` with the reason, as `not ok` would count against the submission and `# TODO` means that it is known to
 * fail; where the whole is undecided, `Bail out!` says so at the end, and no harness takes it for a pass. TAP has no limits.
 */

export const render: Render = (report) => {
  const { steps, verdict } = report;
  const subtests = steps.map((step, index) => [
    ...subtest(step),
    ...point(index + 1, nameOfStep(step), step),
  ]);
  const end = verdict === 'undecided' ? [`Bail out! ${described(unjudged(faultOfRun(report)))}`] : [];
  return ['TAP version 14', `1..${steps.length}`, ...subtests.flat(), ...end].join('\n');
};

function subtest(step: ShownStep): string[] {
  const points = step.clauses.flatMap((clause, index) => [
    ...point(index + 1, nameOfClause(clause), clause),
    ...indented(diagnostics(clause), 2),
  ]);
  return [
    `# Subtest: ${described(nameOfStep(step))}`,
    ...indented([`1..${step.clauses.length}`, ...points], 4),
  ];
}

/** The line of a clause or a step; a step's fault is that of its clauses. */
function point(
  number: number,
  name: string,
  of: { readonly verdict: Verdict; readonly fault?: string },
): string[] {
  const directives = { passed: '', failed: '', skipped: ` # SKIP ${notAsked}` };
  const directive =
    of.verdict === 'undecided' ? ` # SKIP ${described(unjudged(of.fault))}` : directives[of.verdict];
  return [`${of.verdict === 'failed' ? 'not ok' : 'ok'} ${number} - ${described(name)}${directive}`];
}

function diagnostics({ failure }: ShownClause): string[] {
  if (!failure) return [];
  const { kind, given, calls, expected, got, hint, reproduce, seed, path } = failure;
  const data = {
    message: brief(failure),
    severity: 'fail',
    kind,
    ...(hint && { hint: harmless(hint) }),
    ...(seed === undefined
      ? {}
      : {
          given: given.map(harmless),
          calls: calls.map(harmless),
          expected: harmless(expected),
          got: harmless(got),
          seed,
          ...(path === null ? {} : { path }),
          ...(reproduce && { reproduce: harmless(reproduce) }),
        }),
  };
  return ['---', ...stringify(data, { lineWidth: 0 }).trimEnd().split('\n'), '...'];
}

/** A description: what would begin a directive or escape something is escaped. */
function described(text: string): string {
  return text.replace(/[\\#]/g, '\\$&');
}

function indented(lines: readonly string[], by: number): string[] {
  return lines.map((line) => (line === '' ? line : `${' '.repeat(by)}${line}`));
}
