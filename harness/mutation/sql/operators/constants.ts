import type { AstNode } from 'sqlite3-parser';
import { sqlText } from '../../../literal.ts';
import { columnOfValue } from '../columns.ts';
import type { SqlOperator } from '../operator.ts';
import { replaced } from '../phrases.ts';
import { type Located, nodesOf, rangeOf } from '../syntax.ts';

/**
 * IRT, identifier replacement of constants (Tuya et al. 2007). A string becomes each other string that the submission's
 * SQL knows for its column, a status another status, or the empty string where there is none. A number becomes its
 * neighbours. NULL, where it is a value that is stored, becomes the empty string.
 */
export const constants: SqlOperator = {
  name: 'IRT',
  *mutate({ sql, tree }, knowledge) {
    for (const located of nodesOf(tree)) {
      const { node, around } = located;
      if (around.some(({ type }) => isNoOperand(type))) continue;
      const column = columnOfValue(located, tree, knowledge.columnsOf);
      if (node.type === 'StringLiteral') {
        const others = (column ? knowledge.stringsOf(column) : []).filter((other) => other !== node.value);
        for (const other of others.length > 0 ? others : [''].filter((empty) => empty !== node.value))
          yield replaced(sql, rangeOf(node), sqlText(other));
      } else if (node.type === 'NumericLiteral' && /^\d+$/.test(node.value) && !isPosition(located)) {
        for (const neighbour of neighbours(BigInt(node.value)))
          yield replaced(sql, rangeOf(node), String(neighbour));
      } else if (node.type === 'NullLiteral' && isStored(located)) {
        yield replaced(sql, rangeOf(node), "''");
      }
    }
  },
};

/** LIMIT has operators of its own; the others are no values that a statement compares or stores. */
function isNoOperand(type: AstNode['type']): boolean {
  return ['Limit', 'Type', 'PragmaStmt', 'RaiseExpr', 'FrameClause'].includes(type);
}

/** `ORDER BY 1` names a column; in `SELECT 1 FROM …` and `RETURNING 1` any number does. */
function isPosition({ around: [parent] }: Located<AstNode>): boolean {
  return (
    parent?.type === 'SortedColumn' || parent?.type === 'ExprResultColumn' || parent?.type === 'SelectFrom'
  );
}

function isStored({ around: [parent] }: Located<AstNode>): boolean {
  return parent?.type === 'ValuesRow' || parent?.type === 'SetAssignment';
}

function neighbours(number: bigint): readonly bigint[] {
  return number > 0n ? [number + 1n, number - 1n] : [number + 1n];
}
