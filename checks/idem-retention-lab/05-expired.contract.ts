import fc from 'fast-check';
import { clause, expectSame, step } from '../../harness/contract.ts';
import { badLimits, doneRows, dueBy, fewKeys, instants, largeTables, limits, rows, tables } from './given.ts';
import { Keys } from './keys.ts';
import { expired, rowsOf } from './model.ts';
import { type Context, sequenceClause } from './sequence.ts';

/** Step 5: expired lists what a clean-up may take. */
export default step(5, 'expired', {
  '5.1 the ids that are done and expired, now included, ascending by code point; the rows stay': clause(
    {
      due: fc.oneof(tables(5, doneRows()), tables(5, doneRows(fewKeys()))),
      others: tables(4, rows()),
      now: instants(),
      later: fc.option(tables(4, doneRows(fewKeys())), { freq: 2 }),
    },
    async ({ bench, template }: Context, { due, others, now, later }) => {
      const given = rowsOf([...others, ...due.map((row) => dueBy(row, now))]);
      const keys = Keys.holding(bench, template, given);
      expectSame(await keys.call('expired', [now, 100n]), expired(given, now, 100n));
      keys.expectRows(given);
      if (!later) return;
      const changed = keys.replace(later);
      expectSame(await keys.call('expired', [now, 100n]), expired(changed, now, 100n));
    },
    { hint: 'lay out rows in another order than that of their ids, one of them expiring just now' },
  ),

  '5.2 at most `limit` ids, the first ones, and 10 where none is given': clause(
    { given: largeTables(), now: instants(), limit: limits() },
    async ({ bench, template }: Context, { given, now, limit }) => {
      const rows = rowsOf(given);
      const keys = Keys.holding(bench, template, rows);
      expectSame(await keys.call('expired', [now, limit]), expired(rows, now, limit));
      keys.expectRows(rows);
    },
    { hint: 'more rows than the limit, in no order' },
  ),

  '5.3 a limit that is not an int from 1 to 100 is refused by an exception of its own; the rows stay': clause(
    { given: tables(3), now: instants(), limit: badLimits() },
    async ({ bench, template }: Context, { given, now, limit }) => {
      const rows = rowsOf(given);
      const keys = Keys.holding(bench, template, rows);
      const fit = keys.fit(limit);
      expectSame(await keys.call('expired', [now, fit]), expired(rows, now, fit));
      keys.expectRows(rows);
    },
    { hint: 'True is an int in Python, and SQLite has its own idea of a negative limit' },
  ),

  '5.4 in any sequence of calls expired answers as the model says': sequenceClause(5),
});
