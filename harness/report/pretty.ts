import pc from 'picocolors';
import stringWidth from 'string-width';
import { faultFor } from '../messages/faults.ts';
import { type KeyOf, type Texts, textsOf, type Values } from '../messages/texts.ts';
import type { AnyLab } from '../registry.ts';
import { hintOf, statementOf } from './learner.ts';
import { toldFor, type Verdict } from './report.ts';
import { clausesToTell, type ShownClause, type ShownFailure, type ShownReport } from './shown.ts';
import { linesBefore, linesOf } from './story.ts';
import { columnsOf, wrapped } from './wrap.ts';

export const marks: Readonly<Record<Verdict, string>> = {
  passed: '✓',
  failed: '✗',
  undecided: '?',
  skipped: '-',
};

type Colours = ReturnType<typeof pc.createColors>;

/** The colour of a verdict. */
export function paintOf(verdict: Verdict, { green, red, yellow, dim }: Colours): (text: string) => string {
  return { passed: green, failed: red, undecided: yellow, skipped: dim }[verdict];
}

/** Columns before a clause's sentence: its mark and its id stand there. */
const indent = 7;

/** How a person reads: what their terminal can do, and what they speak. */
export interface Reading {
  readonly coloured: boolean;
  readonly columns: number;
  readonly texts: Texts;
}

/** Who reads what is written there. */
export function readingAt(stream: NodeJS.WriteStream, texts: Texts): Reading {
  const coloured = pc.isColorSupported && stream.isTTY === true;
  return { coloured, columns: columnsOf(stream), texts };
}

/** As in a file: 80 columns, no colours, English. */
export const plainly: Reading = { coloured: false, columns: 80, texts: textsOf('en') };

/** A run in a line. */
export function summaryOf(
  { lab, verdict, steps, seconds, seed }: ShownReport,
  { say }: Texts,
  paint = (word: string) => word,
): string {
  const count = steps.reduce((sum, step) => sum + step.cases, 0);
  return say('terminal', seed === undefined ? 'summaryWithoutSeed' : 'summary', {
    ...{ lab, seconds: seconds.toFixed(1), ...(seed === undefined ? {} : { seed }) },
    verdict: paint(say('terminal', verdict)),
    cases: say('terminal', 'cases', { count }),
    rate: Math.round(count / seconds),
  });
}

/** For a person at a terminal. Without the lab its sentences are in English. */
export class Pretty {
  readonly #lab: AnyLab | undefined;
  readonly #colours: Colours;
  readonly #columns: number;
  readonly #texts: Texts;

  constructor(lab: AnyLab | undefined, { coloured, columns, texts }: Reading = plainly) {
    this.#lab = lab;
    this.#colours = pc.createColors(coloured);
    this.#columns = columns;
    this.#texts = texts;
  }

  /** The lines of a clause: its sentence, and what was measured where there is room for it. */
  clause(report: Omit<ShownClause, 'failure'>): string {
    const { id, verdict, cases, seconds, fault } = report;
    const { dim } = this.#colours;
    const measured =
      verdict === 'skipped'
        ? this.#say('skipped')
        : this.#say('measured', {
            cases: this.#say('cases', { count: cases }),
            seconds: seconds.toFixed(2),
          });
    const line = `${this.#mark(verdict)} ${id}  ${this.#sentence(report, measured, dim)}`;
    return fault ? `${line}\n${this.#fault(fault)}` : line;
  }

  /** What follows the lines of the clauses: the failures, and the verdict. */
  rest(report: ShownReport): string {
    const failures = this.failures(report.steps.flatMap(({ clauses }) => clauses));
    const summary = summaryOf(report, this.#texts, this.#painted(report.verdict));
    const fault = report.fault ? [this.#fault(report.fault)] : [];
    return [...(failures ? [failures] : []), ...fault, summary].join('\n');
  }

  /** All that is known of each clause that failed. */
  failures(clauses: readonly ShownClause[]): string {
    return clausesToTell(clauses)
      .flatMap((clause) => (clause.failure ? [this.#failure(clause, clause.failure)] : []))
      .join('\n');
  }

  #failure(clause: ShownClause, failure: ShownFailure): string {
    const { bold, red, green } = this.#colours;
    const { kind, seed, path, shrinks } = failure;
    const { story, reproduce } = toldFor(failure);
    const block = (label: KeyOf<'terminal'>, lines: readonly string[]) => [
      `  ${bold(this.#say(label))}`,
      ...lines.map((line) => `    ${line}`),
    ];
    const before = linesBefore(story, this.#texts);
    const moments = story.moments.flatMap((moment) => linesOf(moment, this.#texts));
    const isShown = seed !== undefined;
    const isTold = isShown && (kind === 'contract' || moments.length > 0);
    const hint = hintOf(this.#lab, clause.id, failure, this.#texts);
    return [
      '',
      `${this.#mark('failed')} ${bold(`${clause.id}  ${this.#sentence(clause, `(${this.#say(`kind.${kind}`)})`)}`)}`,
      ...(isTold ? block('given', before.length > 0 ? before : [this.#say('givenNothing')]) : []),
      ...(isTold ? block('calls', moments) : []),
      ...(isShown ? block('expected', [green(story.expected)]) : []),
      ...(isShown ? block('got', [red(story.got)]) : []),
      ...(hint ? block('hint', wrapped(hint, this.#columns - 4, this.#texts.tongue)) : []),
      ...(isShown
        ? block('seed', [path === null ? String(seed) : this.#say('found', { seed, path, shrinks })])
        : []),
      ...(reproduce ? block('reproducer', reproduce.trimEnd().split('\n')) : []),
      '',
    ].join('\n');
  }

  /** The sentence of a clause in lines, and what is added to it: on a line of its own where the last has no room for it. */
  #sentence(clause: Omit<ShownClause, 'failure'>, added: string, paint = (text: string) => text): string {
    const lines = wrapped(
      statementOf(this.#lab, clause, this.#texts),
      this.#columns - indent,
      this.#texts.tongue,
    );
    const fits = stringWidth(`${lines.at(-1)}  ${added}`) <= this.#columns - indent;
    const newLine = `\n${' '.repeat(indent)}`;
    return [lines.join(newLine), paint(added)].join(fits ? '  ' : newLine);
  }

  #fault(fault: string): string {
    const said = this.#say('fault', { fault: faultFor(fault, this.#texts) });
    return wrapped(said, this.#columns - indent, this.#texts.tongue)
      .map((line) => `${' '.repeat(indent)}${line}`)
      .join('\n');
  }

  #say(key: KeyOf<'terminal'>, values?: Values): string {
    return this.#texts.say('terminal', key, values);
  }

  #mark(verdict: Verdict): string {
    return this.#painted(verdict)(marks[verdict]);
  }

  #painted(verdict: Verdict): (text: string) => string {
    return paintOf(verdict, this.#colours);
  }
}
