import type { SqlOperator } from '../operator.ts';
import { shown } from '../phrases.ts';
import { nodesOfType, parametersOf, rangeOf, slice, wordsAfter, wordsBefore } from '../syntax.ts';

/**
 * BTW, between predicate (Tuya et al. 2007): it becomes two comparisons, one of which shuts its limit out. What is
 * compared comes to stand there twice, so one with parameters is passed over: the call would bind too few.
 */
export const between: SqlOperator = {
  name: 'BTW',
  *mutate({ sql, tree }) {
    for (const node of nodesOfType(tree, 'BetweenExpr')) {
      const compared = slice(sql, rangeOf(node.lhs));
      const [start, end] = [rangeOf(node.start), rangeOf(node.end)];
      const and = wordsBefore(sql, end.from, 'AND');
      const keyword = wordsAfter(sql, rangeOf(node.lhs).to, ...(node.not ? ['NOT', 'BETWEEN'] : ['BETWEEN']));
      if (!and || !keyword || parametersOf(compared).length > 0) continue;
      const { from, to } = rangeOf(node);
      for (const [lower, upper, limit] of node.not ? outside : within) {
        const second = `${node.not ? 'OR' : 'AND'} ${compared} ${upper}`;
        yield {
          edits: [
            { from, to: from, text: '(' },
            { ...keyword, text: lower },
            { ...and, text: second },
            { from: to, to, text: ')' },
          ],
          what: `\`${shown(slice(sql, limit === 'lower' ? start : end))}\` changes sides in BETWEEN`,
        };
      }
    }
  },
};

/** The comparisons with the lower and the upper limit, and which of them is wrong. */
type Comparisons = readonly [string, string, 'lower' | 'upper'];

const within: readonly Comparisons[] = [
  ['>', '<=', 'lower'],
  ['>=', '<', 'upper'],
];
const outside: readonly Comparisons[] = [
  ['<=', '>', 'lower'],
  ['<', '>=', 'upper'],
];
