import { isDeepStrictEqual } from 'node:util';
import type { Event, Queried } from '../bench.ts';
import { Mismatch } from '../contract.ts';
import { OneOf } from '../expectation.ts';
import type { Language } from '../literal.ts';
import { endFor } from '../messages/faults.ts';
import { type Texts, type Tongue, textsOf } from '../messages/texts.ts';
import { isList, same, Tuple, type Value } from '../value.ts';
import { CommandNarrator } from './commands.ts';
import { harmless } from './harmless.ts';
import { type FailedCase, Narrator, upToFailure } from './narrate.ts';
import type { FailureKind, FailureReport, Told } from './report.ts';
import { reproducer } from './reproduce.ts';
import { linesBefore, linesOf, type Story, type Table } from './story.ts';

/** What is known of the clause and the submission that a failure is told of. */
export interface Setting {
  readonly language: Language;
  /** That of whoever reads. */
  readonly tongue?: Tongue | undefined;
  /** The entry file. */
  readonly entry: string;
  /** Stands at the head of the script. */
  readonly title: (texts: Texts) => string;
  readonly hint: string;
  /** The files of a submission of scripts, by the names that calls have for them. */
  readonly scripts: Readonly<Record<string, string>> | undefined;
}

type ToldCase = Omit<FailureReport, 'hintKey' | 'seed' | 'path' | 'shrinks'>;

/** Tells a failing case in the submission's own notation: in English, and as a story in the reader's tongue. */
export function tellFailure(failed: FailedCase, setting: Setting): ToldCase {
  const { tongue = 'en' } = setting;
  const { reason } = failed;
  const until = { trace: upToFailure(failed), reason };
  const english = textsOf('en');
  const told = tell(until, setting, english);
  const { story } = told;
  const kind = reason instanceof Mismatch ? 'contract' : reason.kind;
  return {
    kind,
    given: linesBefore(story, english),
    calls: story.moments.flatMap((moment) => linesOf(moment, english)),
    expected: story.expected,
    got: story.got,
    hint: kind === 'contract' ? setting.hint : english.say('telling', `hint.${kind}`),
    ...told,
    ...(tongue === 'en' ? {} : { learner: tell(until, setting, textsOf(tongue)) }),
  };
}

/** A failure of which there is no case to tell; `got` says what there was instead. */
export function withoutCase(
  kind: Exclude<FailureKind, 'contract'>,
  got: (texts: Texts) => string,
  tongue: Tongue = 'en',
  due = (texts: Texts) => texts.say('telling', `expected.${kind}`),
): Omit<FailureReport, 'seed'> {
  const tell = (texts: Texts) => ({ expected: due(texts), got: got(texts) });
  const english = textsOf('en');
  return {
    ...{ kind, given: [], calls: [], ...tell(english), hint: english.say('telling', `hint.${kind}`) },
    story: { before: [], moments: [], ...tell(english) },
    ...(tongue === 'en'
      ? {}
      : {
          learner: { story: { before: [], moments: [], ...tell(textsOf(tongue)) }, reproduce: '' },
        }),
    ...{ hintKey: null, reproduce: '', path: null, shrinks: 0 },
  };
}

function tell(failed: FailedCase, setting: Setting, texts: Texts): Told {
  const { entry, language, title } = setting;
  const narrator = narratorOf(setting, texts);
  return {
    story: storyOf(narrator, failed, texts),
    reproduce:
      narrator instanceof CommandNarrator
        ? narrator.reproduce(failed, title(texts))
        : reproducer(failed, entry, language, title(texts), texts),
  };
}

function narratorOf({ language, scripts }: Setting, texts: Texts): Narrator | CommandNarrator {
  return scripts ? new CommandNarrator(language, scripts, texts) : new Narrator(language, texts);
}

function storyOf(narrator: Narrator | CommandNarrator, failed: FailedCase, texts: Texts): Story {
  const { trace, reason } = failed;
  const before = narrator.before(trace).map(harmlessTable);
  const moments = narrator.moments(failed).map((moment) => ({
    ...moment,
    text: harmless(moment.text),
    came: moment.came.map(harmless),
  }));
  if (!(reason instanceof Mismatch)) {
    const expected = texts.say('telling', `expected.${reason.kind}`);
    return { before, moments, expected, got: harmless(endFor(reason.detail, texts)) };
  }
  const after = tablesLookedAt(narrator, trace, reason);
  const expected = harmless(narrator.expected(reason.expected));
  return {
    before,
    moments,
    expected,
    got: harmless(narrator.value(reason.seen)),
    ...(after ? { after } : {}),
  };
}

/** The rows of a failure that is one of rows, by columns. */
function tablesLookedAt(
  narrator: Narrator | CommandNarrator,
  trace: readonly Event[],
  { of, seen, expected, rowsBy }: Mismatch,
): Story['after'] {
  const query = rowsBy === undefined ? trace.find((event) => event === of) : readAfter(trace, rowsBy);
  if (query?.kind !== 'query') return undefined;
  const found = rowsBy === undefined ? seen : second(seen);
  const due = rowsBy === undefined ? expected : nearest(expected, found);
  const [, list = '', name = ''] = /^\s*SELECT\s+(.+?)\s+FROM\s+(\w+)/is.exec(query.sql) ?? [];
  const columns = columnsIn(list);
  const tableOf = (rows: Value | undefined, beside?: Value): Table | undefined => {
    if (rows === undefined || !isList(rows)) return undefined;
    const cells = rows.map((row) => {
      const other = itemsOf(rowLike(row, beside));
      return itemsOf(row).map((cell, index) => {
        const seen = other[index];
        return narrator.value(seen !== undefined && same(seen, cell) ? seen : cell);
      });
    });
    if (cells.some(({ length }) => length !== columns.length)) return undefined;
    return harmlessTable({ name, database: narrator.database(query.database), columns, rows: cells });
  };
  const [expectedTable, seenTable] = [tableOf(due, found), tableOf(found)];
  return expectedTable && seenTable ? { expected: expectedTable, seen: seenTable } : undefined;
}

/** The row with the same key; its cells that are as they have to be are shown as they are, however they are spelled. */
function rowLike(row: Value, rows: Value | undefined): Value | undefined {
  const [key] = itemsOf(row);
  if (rows === undefined || !isList(rows) || key === undefined) return undefined;
  return rows.find((other) => itemsOf(other)[0] !== undefined && same(itemsOf(other)[0] as Value, key));
}

function itemsOf(row: Value | undefined): readonly Value[] {
  return row instanceof Tuple ? row.items : [];
}

/** How the rows were read that were looked at together with a call's result: of the database that rows were laid out in. */
function readAfter(
  trace: readonly Event[],
  sql: string,
): Pick<Queried, 'kind' | 'database' | 'sql'> | undefined {
  const laid = trace.find((event) => event.kind === 'lay');
  return laid && { kind: 'query', database: laid.database, sql };
}

/** A call's result and the rows after it, looked at together: the rows. */
function second(value: Value | undefined): Value | undefined {
  return value instanceof Tuple ? value.items[1] : undefined;
}

/** Of several outcomes that are allowed the rows that have most in common with those that were seen. */
function nearest(expected: Value, found: Value | undefined): Value | undefined {
  const options = expected instanceof OneOf ? expected.options.map(second) : [];
  const rowsOf = (value: Value | undefined) => (value !== undefined && isList(value) ? value : []);
  const common = (option: Value | undefined) =>
    rowsOf(option).filter((row) => rowsOf(found).some((other) => isDeepStrictEqual(row, other))).length;
  return [...options].sort((a, b) => common(b) - common(a))[0];
}

/** The columns' names in the list of a SELECT; that of a function's first argument where one is called. */
function columnsIn(list: string): string[] {
  return list
    .split(/,(?![^(]*\))/)
    .map((column) => /(?:CAST\s*\(\s*)?(\w+)/i.exec(column.trim())?.[1] ?? column.trim());
}

function harmlessTable(table: Table): Table {
  return { ...table, rows: table.rows.map((row) => row.map(harmless)) };
}
