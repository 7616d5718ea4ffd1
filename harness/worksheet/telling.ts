import pc from 'picocolors';
import { staff } from '../messages/staff.ts';
import { type Base, textOf } from '../mutation/base.ts';
import { patched } from '../mutation/mutants.ts';
import { offsetOf, patchesOf } from '../mutation/sql/places.ts';
import type { SourceChange } from '../mutation/validation.ts';
import { Pretty } from '../report/pretty.ts';
import type { Answer } from './answer.ts';
import type { Exercise } from './exercises.ts';

/** Tells exercises and their answers to a person. Colours are the caller's choice. */
export class Telling {
  readonly #colours: ReturnType<typeof pc.createColors>;
  readonly #pretty: Pretty;

  constructor(coloured: boolean) {
    this.#colours = pc.createColors(coloured);
    this.#pretty = new Pretty(coloured);
  }

  /** The contract, the change that breaks it, and the question. */
  question({ step, candidate, note }: Exercise): string {
    const { bold, dim } = this.#colours;
    const { contract, change, question } = staff.worksheet;
    const clauses = step.clauses.map(({ id, statement }) => `    ${id}  ${statement}`);
    return [
      bold(staff.worksheet.step(step.number, step.title)),
      ...(note ? [dim(note)] : []),
      `  ${bold(contract)}`,
      ...clauses,
      ...hunksOf(candidate.base, candidate.changes).flatMap((hunk) => this.#hunk(change, hunk)),
      `  ${bold(question)}`,
    ].join('\n');
  }

  answer({ candidate }: Exercise, answer: Answer): string {
    const { bold, yellow } = this.#colours;
    const { worksheet, pretty } = staff;
    if (answer.status === 'undecided') return `  ${yellow(pretty.fault(answer.fault))}\n`;
    if (answer.status === 'unnoticed') return `  ${yellow(worksheet.unnoticed(answer.cases))}\n`;
    const { report, failure, state } = answer;
    const rows = state && (state.length > 0 ? state : [pretty.givenNothing]);
    return [
      this.#pretty.failures([{ ...report, failure }]).trimEnd(),
      ...(rows ? [`  ${bold(worksheet.state)}`, ...rows.map((row) => `    ${row}`)] : []),
      `  ${bold(worksheet.why)}`,
      `    ${candidate.why}`,
      '',
    ].join('\n');
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
