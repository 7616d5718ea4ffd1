import fc from 'fast-check';
import { clause, expectSame, step } from '../../harness/contract.ts';
import { doneRows, keys as ids, instants, rows, tables } from './given.ts';
import { Keys } from './keys.ts';
import { fetch, rowsOf } from './model.ts';
import { type Context, sequenceClause } from './sequence.ts';

/** Step 4: fetch replays a finished response until it expires. */
export default step(4, 'fetch', {
  '4.1 until it expires a done row is replayed: its response, parsed, as the table has it now': clause(
    {
      row: doneRows(),
      others: tables(3),
      times: fc.tuple(instants(), instants()),
      later: fc.option(doneRows(), { freq: 2 }),
    },
    async ({ bench, template }: Context, { row, others, times: [a, b], later }) => {
      const [now, end] = a < b ? [a, b] : [b, a];
      const expires = now < end ? end : Number.MAX_VALUE; // at the same instant it is 4.2's
      const given = rowsOf([...others, { ...row, expires }]);
      const keys = Keys.holding(bench, template, given);
      expectSame(await keys.call('fetch', [row.id, now]), keys.fit(fetch(given, row.id, now)));
      keys.expectRows(given);
      if (!later) return;
      const changed = keys.put({ ...later, id: row.id, expires }, given);
      expectSame(await keys.call('fetch', [row.id, now]), keys.fit(fetch(changed, row.id, now)));
    },
    { hint: 'a response that is falsy is a response' },
  ),

  '4.2 from the instant it expires on, and for any other key, the answer is None; the rows stay': clause(
    { row: doneRows(), others: tables(2, rows()), key: ids(), later: instants() },
    async ({ bench, template }: Context, { row, others, key, later }) => {
      const given = rowsOf([...others, row]);
      const keys = Keys.holding(bench, template, given);
      const reads = [...new Set([key, ...given.keys()])].map((id) => ({ id, now: later }));
      reads.push({ id: row.id, now: row.expires });
      const outcomes = await Promise.all(reads.map(({ id, now }) => keys.call('fetch', [id, now])));
      outcomes.forEach((outcome, i) => {
        const { id, now } = reads[i] ?? { id: key, now: later };
        expectSame(outcome, keys.fit(fetch(given, id, now)));
      });
      keys.expectRows(given);
    },
    { hint: 'what holds at the very instant `expires`?' },
  ),

  '4.3 in any sequence of calls fetch answers as the model says': sequenceClause(4),
});
