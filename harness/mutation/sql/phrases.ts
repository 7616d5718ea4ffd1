import type { SqlEdit } from './edits.ts';
import type { Range } from './host-text.ts';
import type { Mutation } from './operator.ts';
import { slice } from './syntax.ts';

/** The mutation that puts `text` in the place of a range. */
export function replaced(sql: string, range: Range, text: string): Mutation {
  return { edits: [{ ...range, text }], what: `\`${shown(slice(sql, range))}\` becomes \`${shown(text)}\`` };
}

/** The mutation that takes a range away. */
export function dropped(sql: string, range: Range): Mutation {
  return { edits: [{ ...range, text: '' }], what: `\`${shown(slice(sql, range))}\` is dropped` };
}

/** Text before and after a range, which itself may hold what cannot be edited. */
export function wrapped({ from, to }: Range, before: string, after: string): readonly SqlEdit[] {
  return [
    { from, to: from, text: before },
    { from: to, to, text: after },
  ];
}

/** What one range says stands in the place of the other, and the other way round. */
export function exchanged(sql: string, a: Range, b: Range): Mutation {
  const [first, second] = [slice(sql, a), slice(sql, b)];
  return {
    edits: [
      { ...a, text: second },
      { ...b, text: first },
    ],
    what: `\`${shown(first)}\` and \`${shown(second)}\` change places`,
  };
}

/** SQL in a sentence: on one line. */
export function shown(sql: string): string {
  return sql.replace(/\s+/g, ' ').trim();
}
