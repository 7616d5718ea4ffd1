import { type Called, type Event, isDatabasePath } from '../bench.ts';
import { Mismatch } from '../contract.ts';
import { Anything, OneOf, Refusal, seen } from '../expectation.ts';
import { functionName, type Language, literal, sqlText } from '../literal.ts';
import { type Texts, textsOf } from '../messages/texts.ts';
import type { Statement, SubjectFailure } from '../subject/subject.ts';
import type { Value } from '../value.ts';
import type { Moment, Table } from './story.ts';

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

/** Tells a case in the notation of the submission's language, and in the tongue of whoever reads. */
export class Narrator {
  readonly #language: Language;
  readonly #texts: Texts;
  readonly #paths: string[] = [];

  constructor(language: Language, texts: Texts = textsOf('en')) {
    this.#language = language;
    this.#texts = texts;
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
    return shortened(literal(value, this.#language, this.#texts), this.#texts);
  }

  /** What was expected, in words where it is not one value. */
  expected(value: Value): string {
    if (value instanceof Anything) return this.#texts.say('telling', 'anything');
    if (value instanceof Refusal) return this.#texts.say('telling', 'refusal');
    if (value instanceof OneOf)
      return value.options
        .map((option) => this.value(option))
        .join(`\n    ${this.#texts.say('telling', 'or')} `);
    return this.value(value);
  }

  /** A call's arguments; the path of a database by its name. */
  args({ call }: Called): string[] {
    return call.args.map((arg) => (isDatabasePath(arg) ? this.database(arg) : this.value(arg)));
  }

  /** The rows that were there before anything was called. */
  before(trace: readonly Event[]): Table[] {
    return tablesLaid(trace, this);
  }

  /** What was done. What only sets the scene is left out. */
  moments({ trace, reason }: FailedCase): Moment[] {
    return trace.flatMap((event) => {
      if (event.kind === 'query' || event.kind === 'write' || event.kind === 'look' || event.scene) return [];
      if (event.kind === 'execute')
        return event.statements.map((statement) => other(this.statement(statement)));
      return event.kind === 'call' ? this.#call(event, isLookedAt(event, reason)) : [];
    });
  }

  #call(event: Called, failed: boolean): Moment[] {
    const { call, held, outcome } = event;
    const name = functionName(call.name, this.#language);
    const plain = `${name}(${this.args(event).join(', ')})`;
    const made = call.process === 0 ? plain : this.#texts.say('telling', 'otherProcess', { call: plain });
    const came = [outcome ? this.value(seen(outcome)) : this.#texts.say('telling', 'noAnswer')];
    if (!held) return [{ actor: 'submission', text: made, came, failed }];
    return [
      other('BEGIN IMMEDIATE'),
      {
        ...{ actor: 'submission', came: [], failed: false },
        text: this.#texts.say('telling', 'waits', { call: made }),
      },
      ...held.statements.map((statement) => other(this.statement(statement))),
      other('COMMIT'),
      { actor: 'submission', text: name, came, failed },
    ];
  }

  /** The statement with its parameters in place. */
  statement({ sql, parameters }: Statement): string {
    const rest = [...parameters];
    return sql.replace(/\s+/g, ' ').replace(/\?/g, () => sqlLiteral(rest.shift() ?? null));
  }
}

/** The tables that were laid out, with names and cells as that narrator tells them. */
export function tablesLaid(
  trace: readonly Event[],
  narrator: { database(path: string): string; value(value: Value): string },
): Table[] {
  const laid = trace.flatMap((event) => (event.kind === 'lay' ? [event] : []));
  return laid.map(({ database, table, rows }) => ({
    ...{ name: table, database: narrator.database(database), columns: Object.keys(rows[0] ?? {}) },
    rows: rows.map((row) => Object.values(row).map((cell) => narrator.value(cell))),
  }));
}

/** What another connection did. */
export function other(text: string): Moment {
  return { actor: 'other', text, came: [], failed: false };
}

/** Characters of a value that a reader is shown. */
const mostShown = 2_000;

/** A text that is too long to be read, without its middle. */
export function shortened(text: string, texts: Texts): string {
  if (text.length <= mostShown) return text;
  const [start, end] = [text.slice(0, mostShown / 2), text.slice(-mostShown / 2)];
  return texts.say('telling', 'leftOut', { start, left: text.length - mostShown, end });
}

function nameOf(index: number): string {
  return index === 0 ? 'path' : `path${index + 1}`;
}

function sqlLiteral(value: Value): string {
  if (value === null) return 'NULL';
  return typeof value === 'string' ? sqlText(value) : String(value);
}
