import type { Table } from './story.ts';

/** A row as it had to be and as it was; one of the two is missing where the row is. */
export interface Difference {
  readonly kind: 'same' | 'changed' | 'missing' | 'extra';
  readonly expected: readonly string[] | undefined;
  readonly seen: readonly string[] | undefined;
}

/** The rows of two tables side by side, those with the same first cell together. */
export function differencesOf(expected: Table, seen: Table): readonly Difference[] {
  const left = [...seen.rows];
  const due = expected.rows.map((row): Difference => {
    const at = left.findIndex(([key]) => key === row[0]);
    const [found] = at < 0 ? [] : left.splice(at, 1);
    if (!found) return { kind: 'missing', expected: row, seen: undefined };
    const isSame = row.every((cell, index) => cell === found[index]);
    return { kind: isSame ? 'same' : 'changed', expected: row, seen: found };
  });
  return [...due, ...left.map((row): Difference => ({ kind: 'extra', expected: undefined, seen: row }))];
}
