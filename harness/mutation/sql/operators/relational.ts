import type { Operator } from 'sqlite3-parser';
import type { SqlOperator } from '../operator.ts';
import { replaced, shown, wrapped } from '../phrases.ts';
import { nodesOfType, rangeOf, slice, tokensIn } from '../syntax.ts';

/**
 * ROR, relational operator replacement (Tuya, Suárez-Cabal and de la Riva, "Mutating database queries", Information
 * and Software Technology 49, 2007). Of the seven replacements of each operator only those three are made that imply
 * the others (Kaminski, Ammann and Offutt, "Improving logic-based testing", Journal of Systems and Software 86,
 * 2013): the boundary, the other half, and always false. Always true, of `<=`, `>=` and `<>`, is a condition omitted:
 * see LOF. What equals a string of the SQL's own, a status, has no order that could matter, and is not compared by
 * one.
 */
export const relational: SqlOperator = {
  name: 'ROR',
  *mutate({ sql, tree }) {
    for (const comparison of nodesOfType(tree, 'BinaryExpr')) {
      const [operator] = tokensIn(sql, {
        from: rangeOf(comparison.left).to,
        to: rangeOf(comparison.right).from,
      });
      const replacements = sufficient[comparison.op];
      if (!operator || !replacements) continue;
      const isEnumeration = comparison.op === 'Equals' && comparison.right.type === 'StringLiteral';
      for (const replacement of isEnumeration ? [] : replacements.operators)
        yield replaced(sql, rangeOf(operator), replacement);
      if (replacements.never) {
        const range = rangeOf(comparison);
        yield {
          edits: wrapped(range, '(', ' AND 0)'),
          what: `\`${shown(slice(sql, range))}\` is never true`,
        };
      }
    }
  },
};

interface Replacements {
  readonly operators: readonly string[];
  readonly never: boolean;
}

const sufficient: { readonly [O in Operator]?: Replacements } = {
  Equals: { operators: ['<=', '>='], never: true },
  NotEquals: { operators: ['<', '>'], never: false },
  Less: { operators: ['<=', '<>'], never: true },
  LessEquals: { operators: ['<', '='], never: false },
  Greater: { operators: ['>=', '<>'], never: true },
  GreaterEquals: { operators: ['>', '='], never: false },
};
