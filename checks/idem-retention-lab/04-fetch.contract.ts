import fc from 'fast-check';
import { clause, expectSame, step } from '../../harness/contract.ts';
import { doneRows, instants, keys as ids, rows, tables } from './given.ts';
import { Keys } from './keys.ts';
import { fetch, rowsOf } from './model.ts';
import { type Context, sequenceClause } from './sequence.ts';

/** Step 4: fetch replays a finished response until it expires. */
export default step(4, 'fetch', {
  '4.1 until it expires a done row is replayed: its response, parsed': clause(
    { row: doneRows(), others: tables(3), times: fc.tuple(instants(), instants()) },
    async ({ bench, template }: Context, { row, others, times: [a, b] }) => {
      const keys = Keys.initialised(bench, template);
      const [now, expires] = a < b ? [a, b] : [b, a]; // the same instant is 4.2's
      const given = rowsOf([...others, { ...row, expires }]);
      keys.lay([...given.values()]);
      expectSame(await keys.call('fetch', [row.id, now]), keys.fit(fetch(given, row.id, now)));
      keys.expectRows(given);
    },
    { hint: 'a response that is falsy is a response' },
  ),

  '4.2 from the instant it expires on, and for any other key, the answer is None; the rows stay': clause(
    { row: doneRows(), others: tables(4, rows()), key: ids(), later: instants() },
    async ({ bench, template }: Context, { row, others, key, later }) => {
      const keys = Keys.initialised(bench, template);
      const given = rowsOf([...others, row]);
      keys.lay([...given.values()]);
      expectSame(await keys.call('fetch', [row.id, row.expires]), null);
      for (const id of new Set([key, ...given.keys()])) {
        expectSame(await keys.call('fetch', [id, later]), keys.fit(fetch(given, id, later)));
      }
      keys.expectRows(given);
    },
    { hint: 'what holds at the very instant `expires`?' },
  ),

  '4.3 in any sequence of calls fetch answers as the model says': sequenceClause(4),
});
