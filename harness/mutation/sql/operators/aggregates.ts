import type { SqlOperator } from '../operator.ts';
import { dropped, replaced } from '../phrases.ts';
import { nodesOfType, rangeOf, wordsAfter } from '../syntax.ts';

/**
 * AGR, aggregate functions (Tuya et al. 2007): each becomes each other, DISTINCT is dropped. COUNT(*) becomes MAX(1):
 * 1 for any number of rows. Calls of min and max with several arguments are no aggregates.
 */
export const aggregates: SqlOperator = {
  name: 'AGR',
  *mutate({ sql, tree }) {
    for (const call of nodesOfType(tree, 'FunctionCallStarExpr')) {
      if (call.name.name.toUpperCase() !== 'COUNT') continue;
      const star = wordsAfter(sql, rangeOf(call.name).to, ')');
      if (star) yield replaced(sql, { from: rangeOf(call.name).from, to: star.to }, 'MAX(1)');
    }
    for (const call of nodesOfType(tree, 'FunctionCallExpr')) {
      const name = call.name.name.toUpperCase();
      const [argument, ...others] = call.args ?? [];
      if (!functions.includes(name) || !argument || others.length > 0) continue;
      for (const other of functions.filter((known) => known !== name))
        yield replaced(sql, rangeOf(call.name), other);
      const distinct = call.distinctness === 'Distinct' && wordsAfter(sql, rangeOf(call.name).to, 'DISTINCT');
      if (distinct) yield dropped(sql, { from: distinct.from, to: rangeOf(argument).from });
    }
  },
};

const functions: readonly string[] = ['COUNT', 'SUM', 'AVG', 'MIN', 'MAX'];
