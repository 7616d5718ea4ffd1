import type { SortedColumn } from 'sqlite3-parser';
import type { Mutation, SqlOperator } from '../operator.ts';
import { dropped, shown } from '../phrases.ts';
import { across, nodesOf, rangeOf, slice, tokensIn, withSpaceBefore, wordsBefore } from '../syntax.ts';

/** ORD, order by clause (Tuya et al. 2007): it is dropped, a term of several is dropped, a term is reversed. */
export const order: SqlOperator = {
  name: 'ORD',
  *mutate({ sql, tree }) {
    for (const terms of orderingsOf(tree)) {
      const [first, last] = [terms[0], terms.at(-1)];
      const keywords = first && wordsBefore(sql, rangeOf(first.expr).from, 'ORDER', 'BY');
      if (!first || !last || !keywords) continue;
      yield dropped(sql, withSpaceBefore(sql, { from: keywords.from, to: rangeOf(last).to }));
      for (const [index, term] of terms.entries()) {
        if (terms.length > 1) yield withoutTerm(sql, terms, index);
        yield reversed(sql, term);
      }
    }
  },
};

function orderingsOf(tree: Parameters<typeof nodesOf>[0]): readonly (readonly SortedColumn[])[] {
  return nodesOf(tree).flatMap(({ node }) => {
    switch (node.type) {
      case 'Select':
      case 'UpdateStmt':
      case 'DeleteStmt':
      case 'Window':
        return node.orderBy ? [node.orderBy] : [];
      case 'SortListFunctionCallOrder':
        return [node.columns];
      default:
        return [];
    }
  });
}

/** With the comma after the first, with the comma before the others. */
function withoutTerm(sql: string, terms: readonly SortedColumn[], index: number): Mutation {
  const { from, to } = placeOf(terms[index] as SortedColumn);
  const [before, after] = [terms[index - 1], terms[index + 1]];
  if (before) return dropped(sql, { from: rangeOf(before).to, to });
  return dropped(sql, { from, to: after ? placeOf(after).from : to });
}

function reversed(sql: string, term: SortedColumn): Mutation {
  const what = `\`${shown(slice(sql, placeOf(term)))}\` is sorted the other way round`;
  const { to } = rangeOf(term.expr);
  const direction = tokensIn(sql, { from: to, to: rangeOf(term).to }).find(({ text }) =>
    /^(ASC|DESC)$/i.test(text),
  );
  if (!direction) return { edits: [{ from: to, to, text: ' DESC' }], what };
  const text = direction.text.toUpperCase() === 'DESC' ? 'ASC' : 'DESC';
  return { edits: [{ ...rangeOf(direction), text }], what };
}

function placeOf(term: SortedColumn): ReturnType<typeof across> {
  return across(term.expr, term);
}
