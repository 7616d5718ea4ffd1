import { isDict, isList, same, type Value, withOneNumberType } from '../../../harness/value.ts';
import type { Row, Rows } from '../model.ts';
import { type Account, type Cells, type Compared, cells, type Made, sameCells } from './account.ts';

/** The places of columns that evidence looks at. */
export const columns = { id: 0, fingerprint: 1, status: 2, response: 3, expires: 4 } as const;

/** The result that was not as it had to be, of a call of one of these functions. */
export function resultOf(
  { call, result }: Account,
  ...names: readonly string[]
): Compared<Value> | undefined {
  return names.includes(call.name) ? result : undefined;
}

/** An argument that is a text. */
export function textAt({ args }: Made, index: number): string {
  return String(args[index] ?? '');
}

/** The row of the key that the call was given. */
export function rowOf(call: Made): Row | undefined {
  return call.rows.get(textAt(call, 0));
}

/** What a test for truth takes for nothing. */
export function isFalsy(value: Value): boolean {
  if (isDict(value)) return value.size === 0;
  return isList(value) ? value.length === 0 : !value;
}

/** Whether the value is the row's response, whatever numbers a language has. */
export function answers(seen: Value, { answer }: Row): boolean {
  return same(withOneNumberType(seen), withOneNumberType(answer));
}

interface Differences {
  readonly gone: readonly Cells[];
  readonly extra: readonly Cells[];
  /** Rows of one id that are not the same. */
  readonly altered: readonly Compared<Cells>[];
}

/** How the table differs from what it had to be. */
export function differencesOf({ table }: Account): Differences | undefined {
  if (!table) return undefined;
  const find = (rows: readonly Cells[], [id]: Cells) => rows.find((row) => row[0] === id);
  return {
    gone: table.expected.filter((row) => !find(table.seen, row)),
    extra: table.seen.filter((row) => !find(table.expected, row)),
    altered: table.expected.flatMap((expected) => {
      const seen = find(table.seen, expected);
      return seen && !sameCells(seen, expected) ? [{ seen, expected }] : [];
    }),
  };
}

/** The ids of rows that are gone and had to stay, where nothing else differs. */
export function idsGone(account: Account): readonly string[] {
  const found = differencesOf(account);
  if (!found || found.extra.length + found.altered.length > 0) return [];
  return found.gone.map(([id]) => String(id));
}

interface Cell extends Compared<Value> {
  readonly id: string;
}

/** The only cell of the table that differs, if it is in that column. */
export function onlyCell(account: Account, column: number): Cell | undefined {
  const found = differencesOf(account);
  const [row, ...others] = found?.altered ?? [];
  if (!found || !row || others.length + found.gone.length + found.extra.length > 0) return undefined;
  const { seen, expected } = row;
  const wrong = [...expected.keys()].filter((index) => !same(seen[index] ?? null, expected[index] ?? null));
  if (wrong.length !== 1 || wrong[0] !== column) return undefined;
  return { id: String(expected[0]), seen: seen[column] ?? null, expected: expected[column] ?? null };
}

/** Whether the table is as it was before the call, though it had to change. */
export function isUnchanged({ table, call }: Account): boolean {
  return table !== undefined && holds(table.seen, call.rows);
}

/** Whether these are the rows, in whatever order. */
export function holds(seen: readonly Cells[], rows: Rows): boolean {
  return (
    seen.length === rows.size &&
    [...rows.values()].every((row) => seen.some((found) => sameCells(found, cells(row))))
  );
}
