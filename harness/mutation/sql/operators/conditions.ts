import type { SqlOperator } from '../operator.ts';
import { replaced, shown, wrapped } from '../phrases.ts';
import { conditionsOf, connectivesOf } from '../predicates.ts';
import { rangeOf, slice, tokensIn } from '../syntax.ts';

/** LCR, logical connector replacement (Tuya et al. 2007): AND for OR, OR for AND. */
export const connectors: SqlOperator = {
  name: 'LCR',
  *mutate({ sql, tree }) {
    for (const { left, right, op } of connectivesOf(tree)) {
      const between = tokensIn(sql, { from: rangeOf(left).to, to: rangeOf(right).from });
      const token = between.find(({ text }) => text.toUpperCase() === op.toUpperCase());
      if (token) yield replaced(sql, rangeOf(token), op === 'And' ? 'OR' : 'AND');
    }
  },
};

/**
 * LOF, literal omission fault (Lau and Yu, "An extended fault class hierarchy for specification-based testing", ACM
 * TOSEM 14, 2005): a condition no longer filters. It stays in the text, as `(… OR 1)`, or `(… AND 0)` where it is one
 * side of an OR: true and false whatever its value, NULL too. So the statement has the parameters that the call
 * binds, and a hole within the condition is left alone.
 */
export const omittedConditions: SqlOperator = {
  name: 'LOF',
  *mutate({ sql, tree }) {
    for (const { expression, connective } of conditionsOf(tree)) {
      const range = rangeOf(expression);
      const edits = wrapped(range, '(', connective === 'And' ? ' OR 1)' : ' AND 0)');
      yield { edits, what: `\`${shown(slice(sql, range))}\` is left out of account` };
    }
  },
};

/** LNF, literal negation fault (Lau and Yu 2005): a condition is negated. One that is NULL stays so. */
export const negatedConditions: SqlOperator = {
  name: 'LNF',
  *mutate({ sql, tree }) {
    for (const { expression } of conditionsOf(tree)) {
      const range = rangeOf(expression);
      yield { edits: wrapped(range, 'NOT (', ')'), what: `\`${shown(slice(sql, range))}\` is negated` };
    }
  },
};
