import pc from 'picocolors';
import { staff } from '../messages/staff.ts';
import type { Verdict } from './report.ts';
import type { ShownClause, ShownFailure, ShownReport } from './shown.ts';

const marks: Readonly<Record<Verdict, string>> = { passed: '✓', failed: '✗', undecided: '?', skipped: '-' };

/** For a person at a terminal. Colours are the caller's choice. */
export class Pretty {
  readonly #colours: ReturnType<typeof pc.createColors>;

  constructor(coloured: boolean) {
    this.#colours = pc.createColors(coloured);
  }

  /** The line of a clause. */
  clause({ id, statement, verdict, cases, seconds, fault }: Omit<ShownClause, 'failure'>): string {
    const { pretty } = staff;
    const measured =
      verdict === 'skipped' ? staff.verdicts.skipped : `${pretty.cases(cases)}, ${pretty.seconds(seconds)}`;
    const line = `${this.#mark(verdict)} ${id}  ${statement}  ${this.#colours.dim(measured)}`;
    return fault ? `${line}\n      ${pretty.fault(fault)}` : line;
  }

  /** What follows the lines of the clauses: the failures, and the verdict. */
  rest(report: ShownReport): string {
    const failures = this.failures(report.steps.flatMap(({ clauses }) => clauses));
    const cases = report.steps.reduce((sum, step) => sum + step.cases, 0);
    const word = this.#painted(report.verdict)(staff.verdicts[report.verdict]);
    const summary = staff.pretty.summary(word, report.lab, cases, report.seconds, report.seed);
    const fault = report.fault ? [staff.pretty.fault(report.fault)] : [];
    return [...(failures ? [failures] : []), ...fault, summary].join('\n');
  }

  /** All that is known of each clause that failed. */
  failures(clauses: readonly ShownClause[]): string {
    return clauses
      .flatMap((clause) => (clause.failure ? [this.#failure(clause, clause.failure)] : []))
      .join('\n');
  }

  #failure(clause: ShownClause, failure: ShownFailure): string {
    const { pretty } = staff;
    const { bold, red, green } = this.#colours;
    const { kind, given, calls, expected, got, hint, reproduce, seed, path, shrinks } = failure;
    const block = (label: string, lines: readonly string[]) => [
      `  ${bold(label)}`,
      ...lines.map((line) => `    ${line}`),
    ];
    const told = seed !== undefined && (kind === 'contract' || calls.length > 0);
    return [
      '',
      `${this.#mark('failed')} ${bold(`${clause.id}  ${clause.statement}`)}  (${kind})`,
      ...(told ? block(pretty.given, given.length > 0 ? given : [pretty.givenNothing]) : []),
      ...(told ? block(pretty.calls, calls) : []),
      ...(seed === undefined ? [] : block(pretty.expected, [green(expected)])),
      ...(seed === undefined ? [] : block(pretty.got, [red(got)])),
      ...(hint ? block(pretty.hint, [hint]) : []),
      ...(seed === undefined
        ? []
        : block(pretty.seed, [path === null ? String(seed) : pretty.found(seed, path, shrinks)])),
      ...(reproduce ? block(pretty.reproducer, reproduce.trimEnd().split('\n')) : []),
      '',
    ].join('\n');
  }

  #mark(verdict: Verdict): string {
    return this.#painted(verdict)(marks[verdict]);
  }

  #painted(verdict: Verdict): (text: string) => string {
    const { green, red, yellow, dim } = this.#colours;
    return { passed: green, failed: red, undecided: yellow, skipped: dim }[verdict];
  }
}
