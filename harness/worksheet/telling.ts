import pc from 'picocolors';
import { faultFor } from '../messages/faults.ts';
import type { KeyOf, Texts, Values } from '../messages/texts.ts';
import { type Base, textOf } from '../mutation/base.ts';
import { patched } from '../mutation/mutants.ts';
import { offsetOf, patchesOf } from '../mutation/sql/places.ts';
import type { SourceChange } from '../mutation/validation.ts';
import type { AnyLab } from '../registry.ts';
import { statementOf, titleOf, whyOf } from '../report/learner.ts';
import { Pretty, type Reading } from '../report/pretty.ts';
import { wrapped } from '../report/wrap.ts';
import type { Answer } from './answer.ts';
import type { Exercise } from './exercises.ts';

/** Tells exercises and their answers to a person. Colours are the caller's choice. */
export class Telling {
  readonly #lab: AnyLab;
  readonly #texts: Texts;
  readonly #colours: ReturnType<typeof pc.createColors>;
  readonly #pretty: Pretty;
  readonly #columns: number;

  constructor(lab: AnyLab, reading: Reading) {
    this.#lab = lab;
    this.#colours = pc.createColors(reading.coloured);
    this.#pretty = new Pretty(lab, reading);
    this.#texts = reading.texts;
    this.#columns = reading.columns;
  }

  /** The contract, the change that breaks it, and the question. */
  question({ step, candidate, note }: Exercise): string {
    const { bold, dim } = this.#colours;
    const clauses = step.clauses.flatMap((clause) =>
      this.#wrapped(statementOf(this.#lab, clause, this.#texts), `    ${clause.id}  `),
    );
    return [
      bold(this.#say('step', { step: step.number, title: titleOf(this.#lab, step, this.#texts) })),
      ...(note ? this.#wrapped(note, '').map(dim) : []),
      `  ${bold(this.#say('contract'))}`,
      ...clauses,
      ...hunksOf(candidate.base, candidate.changes).flatMap((hunk) => this.#hunk(this.#say('change'), hunk)),
      ...this.#wrapped(this.#say('question'), '  ').map(bold),
    ].join('\n');
  }

  answer({ candidate }: Exercise, answer: Answer): string {
    const { bold, yellow } = this.#colours;
    if (answer.status === 'undecided')
      return `  ${yellow(this.#texts.say('terminal', 'fault', { fault: faultFor(answer.fault, this.#texts) }))}\n`;
    if (answer.status === 'unnoticed')
      return `  ${yellow(this.#say('unnoticed', { count: answer.cases }))}\n`;
    const { report, failure, state } = answer;
    const rows = state && (state.length > 0 ? state : [this.#texts.say('terminal', 'givenNothing')]);
    return [
      this.#pretty.failures([{ ...report, failure }]).trimEnd(),
      ...(rows ? [`  ${bold(this.#say('state'))}`, ...rows.map((row) => `    ${row}`)] : []),
      `  ${bold(this.#say('why'))}`,
      ...this.#wrapped(whyOf(this.#lab, candidate, this.#texts), '    '),
      '',
    ].join('\n');
  }

  /** In lines, the first behind this, the others below its text. */
  #wrapped(text: string, before: string): string[] {
    const lines = wrapped(text, this.#columns - before.length, this.#texts.tongue);
    return lines.map((line, index) => `${index === 0 ? before : ' '.repeat(before.length)}${line}`);
  }

  #say(key: KeyOf<'worksheet'>, values?: Values): string {
    return this.#texts.say('worksheet', key, values);
  }

  #hunk(change: string, { file, line, before, after }: Hunk): string[] {
    const { bold, red, green } = this.#colours;
    return [
      `  ${bold(change)}  ${file}:${line}`,
      ...before.map((text) => `    ${red(`- ${text}`)}`),
      ...after.map((text) => `    ${green(`+ ${text}`)}`),
    ];
  }
}

/** Whole lines that differ. */
interface Hunk {
  readonly file: string;
  /** Of the first line, from 1. */
  readonly line: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** The changes by lines; those that share a line are one. */
function hunksOf(base: Base, changes: readonly SourceChange[]): readonly Hunk[] {
  const groups: SourceChange[][] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (last && last.file === change.file && change.start.line <= last.end.line + 1) group?.push(change);
    else groups.push([change]);
  }
  return groups.map((group) => hunkOf(base, group));
}

function hunkOf(base: Base, changes: readonly SourceChange[]): Hunk {
  const { file = '', start } = changes[0] ?? {};
  const [first, last] = [start?.line ?? 1, changes.at(-1)?.end.line ?? 1];
  const source = textOf(base, file) ?? '';
  const before = source.split('\n').slice(first - 1, last);
  const patches = patchesOf(source, changes, offsetOf(source, { line: first, column: 1 }));
  return { file, line: first, before, after: patched(before.join('\n'), patches).split('\n') };
}
