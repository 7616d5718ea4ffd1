import pc from 'picocolors';
import { faultFor } from '../messages/faults.ts';
import { type Texts, type Tongue, textsOf } from '../messages/texts.ts';
import type { AnyLab } from '../registry.ts';
import { harmlessLine } from '../report/harmless.ts';
import { statementOf, titleOf } from '../report/learner.ts';
import { marks, Pretty, paintOf, readingAt } from '../report/pretty.ts';
import type { ClauseReport, Verdict } from '../report/report.ts';
import type { Touch } from './order.ts';

/** A step with as many of its clauses as settle its verdict. */
export interface StepSoFar {
  readonly number: number;
  readonly title: string;
  readonly verdict: Verdict;
  readonly clauses: readonly ClauseReport[];
}

/** What a learner sees: on a terminal one round at a time, elsewhere line after line. */
export class Screen {
  readonly #lab: AnyLab;
  readonly #texts: Texts;
  readonly #isTerminal = process.stdout.isTTY === true;
  readonly #colours: ReturnType<typeof pc.createColors>;
  readonly #pretty: Pretty;

  constructor(lab: AnyLab, tongue: Tongue) {
    this.#lab = lab;
    this.#texts = textsOf(tongue);
    const reading = readingAt(process.stdout, this.#texts);
    this.#colours = pc.createColors(reading.coloured);
    this.#pretty = new Pretty(lab, reading);
  }

  watching(place: string): void {
    this.#line(this.#texts.say('watch', 'watching', { place: harmlessLine(place) }));
  }

  /** A round begins, by a save or without one. */
  begin(touch: Touch | undefined): void {
    if (touch && this.#isTerminal) process.stdout.write('\x1b[2J\x1b[H');
    const time = new Date().toTimeString().slice(0, 8);
    const functions = touch?.functions.length ? ` (${touch.functions.join(', ')})` : '';
    const what = harmlessLine((touch?.files.join(', ') ?? '') + functions);
    this.#line('');
    this.#line(this.#texts.say('watch', touch ? 'changed' : 'begins', { time, what }));
  }

  /** The verdict of a step, with the sentence that it failed. */
  step({ number, title, verdict, clauses }: StepSoFar): void {
    const { dim } = this.#colours;
    const paint = paintOf(verdict, this.#colours);
    const failed = clauses.find((clause) => clause.failure);
    const fault = clauses.find((clause) => clause.fault)?.fault ?? '';
    const why =
      verdict === 'undecided'
        ? this.#texts.say('watch', 'undecided', { fault: harmlessLine(fault) })
        : failed && `${failed.id} ${statementOf(this.#lab, failed, this.#texts)}`;
    const word = this.#texts.say('terminal', verdict);
    this.#line(
      `${paint(`${marks[verdict]} ${number} ${titleOf(this.#lab, { number, title }, this.#texts)}: ${word}`)}${why ? `  ${dim(why)}` : ''}`,
    );
  }

  /** All that is known of a failure. */
  failure(clause: ClauseReport): void {
    this.#line(this.#pretty.failures([clause]));
  }

  summary(steps: readonly StepSoFar[], seconds: number): void {
    const others = steps.filter(({ verdict }) => verdict !== 'passed').map(({ number }) => number);
    const values = { seconds: seconds.toFixed(1), count: steps.length };
    const passed = steps.length - others.length;
    const counted = { ...values, passed, all: steps.length, steps: others.sort((a, b) => a - b).join(', ') };
    this.#line(
      others.length === 0
        ? this.#colours.green(this.#texts.say('watch', 'allPassed', values))
        : this.#texts.say('watch', 'notAll', counted),
    );
  }

  notLoaded(clause: ClauseReport): void {
    if (clause.failure) this.failure(clause);
    this.#line(this.#texts.say('watch', 'notLoaded'));
  }

  /** Why nothing can be judged now, in a line. */
  trouble(message: string): void {
    this.#line(`labcheck: ${harmlessLine(message)}`);
  }

  noSandbox(reason: string): void {
    this.trouble(this.#texts.say('faults', 'noSandbox', { reason }));
  }

  /** Why nothing could be judged, as a result says it. */
  fault(said: string): void {
    this.trouble(faultFor(said, this.#texts));
  }

  ended(): void {
    this.#line(this.#texts.say('watch', 'ended'));
  }

  #line(text: string): void {
    process.stdout.write(`${text}\n`);
  }
}
