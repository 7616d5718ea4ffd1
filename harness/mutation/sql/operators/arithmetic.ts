import type { Operator } from 'sqlite3-parser';
import type { SqlOperator } from '../operator.ts';
import { replaced } from '../phrases.ts';
import { nodesOfType, rangeOf, tokensIn } from '../syntax.ts';

/** AOR, arithmetic operator replacement (Tuya et al. 2007), by the inverse only. */
export const arithmetic: SqlOperator = {
  name: 'AOR',
  *mutate({ sql, tree }) {
    for (const { left, op, right } of nodesOfType(tree, 'BinaryExpr')) {
      const [operator] = tokensIn(sql, { from: rangeOf(left).to, to: rangeOf(right).from });
      const inverse = inverses[op];
      if (operator && inverse) yield replaced(sql, rangeOf(operator), inverse);
    }
  },
};

const inverses: { readonly [O in Operator]?: string } = {
  Add: '-',
  Subtract: '+',
  Multiply: '/',
  Divide: '*',
};
