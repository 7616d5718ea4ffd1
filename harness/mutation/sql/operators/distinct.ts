import type { AstNode, Expr, SelectFrom } from 'sqlite3-parser';
import type { Knowledge, SqlOperator } from '../operator.ts';
import { dropped, shown } from '../phrases.ts';
import { conjunctsOf } from '../predicates.ts';
import {
  columnNamed,
  type Located,
  nodesOf,
  nodesOfType,
  rangeOf,
  slice,
  unquoted,
  wordsAfter,
} from '../syntax.ts';

/**
 * SEL, select clause (Tuya et al. 2007): DISTINCT is added or dropped. It is not added where no row can come twice: a
 * single row, groups that show what they are grouped by, rows that show or fix a whole primary key; nor where it does
 * not matter whether one does: in EXISTS, IN and UNION.
 */
export const distinct: SqlOperator = {
  name: 'SEL',
  *mutate({ sql, tree }, knowledge) {
    for (const located of nodesOf(tree)) {
      const { node } = located;
      if (node.type !== 'SelectFrom') continue;
      const keyword = wordsAfter(sql, rangeOf(node).from, 'SELECT');
      if (!keyword) continue;
      if (node.distinctness === 'Distinct') {
        const word = wordsAfter(sql, keyword.to, 'DISTINCT');
        if (word) yield dropped(sql, { from: keyword.to, to: word.to });
      } else if (!rowsAreDistinct(sql, node, knowledge) && !isOneOfSet(located)) {
        const edits = [{ from: keyword.to, to: keyword.to, text: ' DISTINCT' }];
        yield { edits, what: 'rows that are alike come once' };
      }
    }
  },
};

function rowsAreDistinct(sql: string, select: SelectFrom, { columnsOf }: Knowledge): boolean {
  const results = select.columns.flatMap((column) =>
    column.type === 'ExprResultColumn' ? [column.expr] : [],
  );
  const written = (expression: Expr) => shown(slice(sql, rangeOf(expression)));
  if (select.groupBy)
    return select.groupBy.every((group) => results.some((one) => written(one) === written(group)));
  if (!select.from || results.some(isAggregate)) return true;
  const table = select.from.select;
  if (table?.type !== 'TableSelectTable' || select.from.joins) return false;
  const key = columnsOf(unquoted(table.tblName.objName.text)).filter(({ inPrimaryKey }) => inPrimaryKey);
  const given = [...results.map(columnNamed), ...conjunctsOf(select.whereClause).map(columnFixed)];
  const star = select.columns.some(({ type }) => type !== 'ExprResultColumn');
  return key.length > 0 && (star || key.every(({ name }) => given.includes(name)));
}

/** The column that a condition lets have one value only. */
function columnFixed(condition: Expr): string | undefined {
  if (condition.type !== 'BinaryExpr' || condition.op !== 'Equals') return undefined;
  const fixes = ['VariableExpr', 'StringLiteral', 'NumericLiteral'].includes(condition.right.type);
  return fixes ? columnNamed(condition.left) : undefined;
}

const aggregateNames =
  /^(count|sum|avg|min|max|total|group_concat|string_agg|json_group_array|json_group_object)$/i;

function isAggregate(expression: Expr): boolean {
  return nodesOfType(expression, 'FunctionCallExpr', 'FunctionCallStarExpr').some(
    ({ name, filterOver }) => aggregateNames.test(name.name) && !filterOver?.overClause,
  );
}

/** Whether it only matters which rows there are, and no limit cuts them. */
function isOneOfSet({ around }: Located<AstNode>): boolean {
  const [parent, grandparent] = around;
  const select = parent?.type === 'CompoundSelect' ? grandparent : parent;
  if (select?.type !== 'Select' || select.limit) return false;
  if (select.compounds?.some(({ operator }) => operator !== 'UnionAll')) return true;
  const outer = around[around.indexOf(select) + 1];
  return outer?.type === 'InSelectExpr' || outer?.type === 'ExistsExpr';
}
