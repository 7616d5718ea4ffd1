import type { Story, Table } from './story.ts';

/** What a key goes through, as a lab says it. */
export interface Life {
  readonly table: string;
  /** The column by which a row is known, and the one that has its state. */
  readonly key: string;
  readonly state: string;
  /** The states that a row can have, in their order, as they stand in the table. */
  readonly states: readonly string[];
}

/** Where a key may be: `absent` before there was a row, `purged` after one. */
export type Place = 'absent' | 'purged' | (string & {});

/** A step in a key's life that the contract rules out, or the one that it asks for and that was not taken. */
export interface Turn {
  readonly key: string;
  readonly from: Place;
  /** Where the key had to be afterwards, and where it was. */
  readonly due: Place;
  readonly seen: Place;
}

/**
 * The turn that a failing case took. Undefined unless the rows say it beyond doubt: one call alone between the rows
 * before and those after it, and one key alone that is elsewhere than it has to be.
 */
export function turnOf(story: Story, life: Life): Turn | undefined {
  const { before, moments, after } = story;
  const [moment, ...others] = moments;
  if (moment?.actor !== 'submission' || others.length > 0 || after?.seen.name !== life.table)
    return undefined;
  const start = before.find(({ name, database }) => name === life.table && database === after.seen.database);
  const laid = start ? placesIn(start, life) : new Map<string, string>();
  const [due, seen] = [placesIn(after.expected, life), placesIn(after.seen, life)];
  if (!laid || !due || !seen) return undefined;
  const turns = [...new Set([...laid.keys(), ...due.keys(), ...seen.keys()])].map((key) => {
    const from = laid.get(key) ?? 'absent';
    const gone = from === 'absent' ? 'absent' : 'purged';
    return { key, from, due: due.get(key) ?? gone, seen: seen.get(key) ?? gone };
  });
  const wrong = turns.filter((turn) => turn.due !== turn.seen);
  return wrong.length === 1 ? wrong[0] : undefined;
}

/** The states of a table's keys, as they stand there without their quotes; undefined where there are others. */
function placesIn({ columns, rows }: Table, { key, state, states }: Life): Map<string, string> | undefined {
  const [keyAt, stateAt] = [columns.indexOf(key), columns.indexOf(state)];
  if (rows.length > 0 && (keyAt < 0 || stateAt < 0)) return undefined;
  const places = new Map(
    rows.map((row) => [row[keyAt] ?? '', (row[stateAt] ?? '').replace(/^'(.*)'$/, '$1')]),
  );
  return [...places.values()].every((place) => states.includes(place)) ? places : undefined;
}
