import type { Expr, ResultColumn, Stmt } from 'sqlite3-parser';
import type { Range } from '../host-text.ts';
import type { Mutation, SqlOperator } from '../operator.ts';
import { exchanged, shown } from '../phrases.ts';
import { columnNamed, nodesOfType, rangeOf, slice } from '../syntax.ts';

/**
 * IRC, identifier replacement of columns (Tuya et al. 2007), by the neighbour: two columns of an INSERT, or two
 * results of a SELECT, change places. Results keep their names, `b AS a, a AS b`, as rows are read by place or by
 * name.
 */
export const columns: SqlOperator = {
  name: 'IRC',
  *mutate({ sql, tree }) {
    if (tree.type === 'InsertStmt')
      for (const [a, b] of neighbours(tree.columns ?? [])) yield exchanged(sql, rangeOf(a), rangeOf(b));
    for (const select of nodesOfType(tree, 'SelectFrom')) yield* resultsExchanged(sql, select.columns);
    for (const { values } of nodesOfType(tree, 'ValuesRow')) {
      if (tree.type === 'InsertStmt' && tree.columns) continue; // the same as the columns exchanged
      for (const [a, b] of neighbours(values)) yield exchanged(sql, rangeOf(a), rangeOf(b));
    }
  },
};

/** RET: as IRC, of what RETURNING gives. (In which order it gives its rows, SQLite leaves open: lang_returning.) */
export const returning: SqlOperator = {
  name: 'RET',
  *mutate({ sql, tree }) {
    if ('returning' in tree && tree.returning) yield* resultsExchanged(sql, tree.returning);
  },
};

/**
 * IRP, identifier replacement of parameters (Tuya et al. 2007): two of them that follow one another change places.
 * Those without a name read alike, so that the columns change places that they are compared with or put into.
 */
export const parameters: SqlOperator = {
  name: 'IRP',
  *mutate({ sql, tree }) {
    const variables = nodesOfType(tree, 'VariableExpr');
    for (const [a, b] of neighbours(variables.filter(({ name }) => name !== '?'))) {
      if (!areSideBySide(tree, a, b)) yield exchanged(sql, rangeOf(a), rangeOf(b)); // or else it is IRC's
    }
    for (const [a, b] of neighbours(variables.filter(({ name }) => name === '?'))) {
      const [first, second] = [partnerOf(tree, a), partnerOf(tree, b)];
      if (!first || !second) continue;
      const { edits } = exchanged(sql, first, second);
      yield {
        edits,
        what: `the parameters of \`${slice(sql, first)}\` and \`${slice(sql, second)}\` change places`,
      };
    }
  },
};

/** Whether two parameters are values of one row, one after the other. */
function areSideBySide(tree: Stmt, a: Expr, b: Expr): boolean {
  const rows = nodesOfType(tree, 'ValuesRow');
  return rows.some(({ values }) => values.includes(a) && values.indexOf(b) === values.indexOf(a) + 1);
}

/** Where the column stands that a parameter is compared with or put into. */
function partnerOf(tree: Stmt, parameter: Expr): Range | undefined {
  for (const { left, right } of nodesOfType(tree, 'BinaryExpr')) {
    if (left === parameter && columnNamed(right)) return rangeOf(right);
    if (right === parameter && columnNamed(left)) return rangeOf(left);
  }
  for (const { colNames, expr } of nodesOfType(tree, 'SetAssignment')) {
    if (expr === parameter && colNames[0]) return rangeOf(colNames[0]);
  }
  if (tree.type !== 'InsertStmt' || tree.body.type !== 'SelectInsertBody') return undefined;
  const { select } = tree.body.select;
  const row =
    select.type === 'SelectValues'
      ? select.values.find(({ values }) => values.includes(parameter))
      : undefined;
  const column = row && tree.columns?.[row.values.indexOf(parameter)];
  return column && rangeOf(column);
}

function* resultsExchanged(sql: string, results: readonly ResultColumn[]): Generator<Mutation> {
  for (const [a, b] of neighbours(results)) {
    if (a.type !== 'ExprResultColumn' || b.type !== 'ExprResultColumn') continue;
    const [first, second] = [rangeOf(a.expr), rangeOf(b.expr)];
    yield {
      ...exchanged(sql, first, second),
      edits: [
        { ...first, text: slice(sql, second) + named(sql, a) },
        { ...second, text: slice(sql, first) + named(sql, b) },
      ],
    };
  }
}

/** The name by which a result was known, for another in its place; nothing where an alias stands there already. */
function named(
  sql: string,
  { expr, alias }: Extract<ResultColumn, { readonly type: 'ExprResultColumn' }>,
): string {
  if (alias) return '';
  if (expr.type === 'Id' || expr.type === 'NameExpr') return ` AS ${slice(sql, rangeOf(expr))}`;
  if (expr.type === 'QualifiedExpr') return ` AS ${slice(sql, rangeOf(expr.column))}`;
  return ` AS "${shown(slice(sql, rangeOf(expr))).replaceAll('"', '""')}"`;
}

function neighbours<T>(items: readonly T[]): readonly (readonly [T, T])[] {
  return items.slice(1).map((item, index) => [items[index] as T, item] as const);
}
