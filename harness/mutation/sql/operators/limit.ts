import type { Expr } from 'sqlite3-parser';
import type { Mutation, SqlOperator } from '../operator.ts';
import { dropped, replaced, shown, wrapped } from '../phrases.ts';
import { nodesOfType, rangeOf, slice, withSpaceBefore } from '../syntax.ts';

/**
 * LIM: a limit is dropped, is one more, is one less; an offset is left out of account. SQLMutation has no such
 * operator, as the SQL of its time had no such clause. A limit that is bound stays in the text, as `min(?, -1)`:
 * SQLite takes a negative one for none ("The LIMIT clause", lang_select), and the call still binds it.
 */
export const limit: SqlOperator = {
  name: 'LIM',
  *mutate({ sql, tree }) {
    for (const node of nodesOfType(tree, 'Limit')) {
      const range = rangeOf(node.expr);
      if (node.expr.type === 'NumericLiteral' && !node.offset)
        yield dropped(sql, withSpaceBefore(sql, rangeOf(node)));
      else
        yield {
          edits: wrapped(range, 'min(', ', -1)'),
          what: `nothing is limited to \`${shown(slice(sql, range))}\``,
        };
      yield* neighbours(sql, node.expr);
      if (node.offset) {
        const offset = rangeOf(node.offset);
        const what = `nothing is skipped by \`${shown(slice(sql, offset))}\``;
        yield { edits: wrapped(offset, 'min(', ', 0)'), what };
      }
    }
  },
};

function* neighbours(sql: string, expression: Expr): Generator<Mutation> {
  const range = rangeOf(expression);
  if (expression.type === 'NumericLiteral') {
    const number = BigInt(expression.value);
    yield replaced(sql, range, String(number + 1n));
    if (number > 0n) yield replaced(sql, range, String(number - 1n));
    return;
  }
  const written = shown(slice(sql, range));
  const edit = (text: string) => [{ from: range.to, to: range.to, text }];
  yield { edits: edit(' + 1'), what: `the limit \`${written}\` is one more` };
  yield { edits: edit(' - 1'), what: `the limit \`${written}\` is one less` };
}
