import { stringify } from 'csv-stringify/sync';
import type { AnyLab } from '../registry.ts';
import type { Change, ClassEntry } from '../report/class.ts';
import { faultOfRun } from '../report/formats/telling.ts';
import { harmlessLine } from '../report/harmless.ts';
import type { Report } from '../report/report.ts';
import { type Scoring, scoreOf } from '../report/score.ts';

/* What a class comes to, as tables (RFC 4180). A cell that a spreadsheet would take for a formula is made a text. */

/** A row a submission: `score` is empty where it could not be judged. */
export function summaryTable(entries: readonly ClassEntry[], lab: AnyLab, scoring: Scoring): string {
  const numbers = lab.steps
    .map(({ number }) => number)
    .filter((number) => entries.some(({ report }) => report.steps.some(({ step }) => step === number)));
  const rows = entries.map(({ name, report }) => {
    const { points, most } = scoreOf(report, scoring);
    const verdictOf = (number: number) => report.steps.find(({ step }) => step === number)?.verdict ?? '';
    const passed = report.steps.filter(({ verdict }) => verdict === 'passed').length;
    return [
      ...[name, report.verdict, points ?? '', most, passed],
      ...numbers.map(verdictOf),
      ...[failedClauses(report).join(' '), faultOfRun(report) ?? '', report.seconds.toFixed(2), report.seed],
    ];
  });
  const head = ['name', 'verdict', 'score', 'most', 'steps passed'];
  const tail = ['failed clauses', 'could not be judged because', 'seconds', 'seed'];
  return table([[...head, ...numbers.map((number) => `step ${number}`), ...tail], ...rows]);
}

/** A row a submission whose verdict changed. */
export function changesTable(changes: readonly Change[]): string {
  const rows = changes.map(({ name, from, to, steps, because }) => [
    ...[name, from, to],
    steps.map(({ step, from, to }) => `${step}: ${from} -> ${to}`).join('; '),
    ...[steps.flatMap(({ clauses }) => clauses).join(' '), because.join(' ')],
  ]);
  return table([['name', 'from', 'to', 'steps', 'clauses', 'because of another'], ...rows]);
}

/** Which pseudonym is whose. */
export function namesTable(names: ReadonlyMap<string, string>): string {
  return table([['name', 'pseudonym'], ...names]);
}

function table(rows: readonly (readonly (string | number)[])[]): string {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? harmlessLine(cell) : cell)));
  return stringify(cells, { escape_formulas: true }).trimEnd();
}

/** The ids of the clauses that failed. */
export function failedClauses({ steps }: Report): readonly string[] {
  return steps
    .flatMap(({ clauses }) => clauses)
    .filter(({ verdict }) => verdict === 'failed')
    .map(({ id }) => id);
}
