import { type Called, type Event, isDatabasePath } from '../bench.ts';
import { Mismatch } from '../contract.ts';
import { Anything, OneOf, Refusal, seen } from '../expectation.ts';
import { functionName, type Language, literal, sqlText } from '../literal.ts';
import { staff } from '../messages/staff.ts';
import type { Statement, SubjectFailure } from '../subject/subject.ts';
import type { Value } from '../value.ts';

/** A failing case: what happened in it, and why it failed. */
export interface FailedCase {
  readonly trace: readonly Event[];
  readonly reason: Mismatch | SubjectFailure;
}

/** The events that led to the failure: calls may have been made ahead of the one that failed. */
export function upToFailure({ trace, reason }: FailedCase): readonly Event[] {
  const end = trace.findIndex((event) => isLookedAt(event, reason));
  return end < 0 ? trace : trace.slice(0, end + 1);
}

/** Whether the failure was seen there. */
export function isLookedAt(event: Event, reason: FailedCase['reason']): boolean {
  if (!(reason instanceof Mismatch)) return false;
  return event === reason.of || (event.kind === 'call' && event.outcome === reason.of);
}

/** Tells a case in the notation of the submission's language. */
export class Narrator {
  readonly #language: Language;
  readonly #paths: string[] = [];

  constructor(language: Language) {
    this.#language = language;
  }

  /** `path` for the first database of a case, `path2` for the second. */
  database(path: string): string {
    if (!this.#paths.includes(path)) this.#paths.push(path);
    return nameOf(this.#paths.indexOf(path));
  }

  /** The names given so far. */
  get databases(): string[] {
    return this.#paths.map((_, index) => nameOf(index));
  }

  value(value: Value): string {
    return shortened(literal(value, this.#language));
  }

  /** What was expected, in words where it is not one value. */
  expected(value: Value): string {
    if (value instanceof Anything) return staff.terms.anything;
    if (value instanceof Refusal) return staff.terms.refusal;
    if (value instanceof OneOf) return value.options.map((option) => this.value(option)).join(staff.terms.or);
    return this.value(value);
  }

  /** A call's arguments; the path of a database by its name. */
  args({ call }: Called): string[] {
    return call.args.map((arg) => (isDatabasePath(arg) ? this.database(arg) : this.value(arg)));
  }

  /** The rows that were there before anything was called. */
  given(trace: readonly Event[]): string[] {
    return trace.flatMap((event) => {
      if (event.kind !== 'lay') return [];
      const rows = event.rows.map(
        (row) =>
          `(${Object.values(row)
            .map((cell) => this.value(cell))
            .join(', ')})`,
      );
      const name = this.database(event.database);
      return name === 'path' ? rows : rows.map((row) => `${row} in ${name}`);
    });
  }

  /** What was done, a line each. What only sets the scene is left out. */
  calls(trace: readonly Event[]): string[] {
    return trace.flatMap((event) => {
      if (event.kind === 'query' || event.kind === 'write' || event.kind === 'look' || event.scene) return [];
      if (event.kind === 'execute') {
        return event.statements.map((statement) => `another connection: ${this.statement(statement)}`);
      }
      return event.kind === 'call' ? this.#call(event) : [];
    });
  }

  #call(event: Called): string[] {
    const { call, held, outcome } = event;
    const where = call.process === 0 ? '' : ', in another process';
    const made = `${functionName(call.name, this.#language)}(${this.args(event).join(', ')})${where}`;
    const came = outcome ? this.value(seen(outcome)) : '(no answer)';
    if (!held) return [`${made} -> ${came}`];
    return [
      'another connection: BEGIN IMMEDIATE',
      `${made} is called, and waits for the lock`,
      ...held.statements.map((statement) => `another connection: ${this.statement(statement)}`),
      'another connection: COMMIT',
      `${functionName(call.name, this.#language)} -> ${came}`,
    ];
  }

  /** The statement with its parameters in place. */
  statement({ sql, parameters }: Statement): string {
    const rest = [...parameters];
    return sql.replace(/\s+/g, ' ').replace(/\?/g, () => sqlLiteral(rest.shift() ?? null));
  }
}

/** Characters of a value that a reader is shown. */
const mostShown = 2_000;

/** A text that is too long to be read, without its middle. */
export function shortened(text: string): string {
  if (text.length <= mostShown) return text;
  return `${text.slice(0, mostShown / 2)} … ${text.length - mostShown} characters … ${text.slice(-mostShown / 2)}`;
}

function nameOf(index: number): string {
  return index === 0 ? 'path' : `path${index + 1}`;
}

function sqlLiteral(value: Value): string {
  if (value === null) return 'NULL';
  return typeof value === 'string' ? sqlText(value) : String(value);
}
