import fc from 'fast-check';
import { clause, expectSame, heldCases, step } from '../../harness/contract.ts';
import { digests, keys as ids, patience, pendingRows, responses, rows, tables } from './given.ts';
import { expectEffect, Keys } from './keys.ts';
import { finish, rowsOf } from './model.ts';
import { type Context, sequenceClause } from './sequence.ts';

/** Step 3: finish stores the response of the request that holds the key, once. */
export default step(3, 'finish', {
  '3.1 a pending row with that fingerprint, expired or not, becomes done with the response as JSON text':
    clause(
      { row: pendingRows(), others: tables(3), response: responses() },
      async ({ bench, template }: Context, { row, others, response }) => {
        const given = rowsOf([...others, row]);
        const keys = Keys.holding(bench, template, given);
        const answer = keys.fit(response);
        const outcome = keys.call('finish', [row.id, row.fingerprint, answer]);
        await expectEffect(
          keys,
          outcome,
          finish(given, row.id, row.fingerprint, answer, keys.stored(answer)),
        );
      },
      { hint: 'every JSON value is a response: None, False, 0 and an empty list, too' },
    ),

  '3.2 an absent key, another fingerprint or a row that is done: nothing changes, and the answer is False':
    clause(
      { given: tables(3), key: ids(), digest: digests(), response: responses() },
      async ({ bench, template }: Context, { given, key, digest, response }) => {
        const rows = rowsOf(given);
        const keys = Keys.holding(bench, template, rows);
        const claims = [
          { id: key, fingerprint: digest },
          ...given.map(({ id, status, fingerprint }) => ({
            id,
            fingerprint: status === 'done' ? fingerprint : digest,
          })),
        ];
        const refused = claims.filter(({ id, fingerprint }) => {
          const row = rows.get(id);
          return row?.status !== 'pending' || row.fingerprint !== fingerprint;
        });
        const calls = refused.map(({ id, fingerprint }) => keys.call('finish', [id, fingerprint, response]));
        for (const outcome of await Promise.all(calls)) expectSame(outcome, false);
        keys.expectRows(rows);
      },
      { hint: 'all three have to hold: the id, the fingerprint, the status' },
    ),

  '3.3 the row is looked at and finished in one go: another process that is faster is respected': clause(
    {
      row: pendingRows(),
      meanwhile: fc.oneof(
        { weight: 4, arbitrary: fc.record({ after: rows(), sameFingerprint: fc.constant(true) }) },
        {
          weight: 4,
          arbitrary: fc.record({ after: pendingRows(), sameFingerprint: fc.constant(false) }),
        },
        {
          weight: 1,
          arbitrary: fc.record({ after: fc.constant(null), sameFingerprint: fc.constant(false) }),
        },
      ),
      response: responses(),
      patience: patience(),
    },
    async (
      { bench, template }: Context,
      { row, meanwhile: { after, sameFingerprint }, response, patience },
    ) => {
      const { id, fingerprint } = row;
      const given = rowsOf([row]);
      const keys = Keys.holding(bench, template, given);
      const answer = keys.fit(response);
      const put = after && {
        ...after,
        id,
        fingerprint: sameFingerprint ? fingerprint : `${fingerprint}-other`,
      };
      const change = put ? { put } : { remove: id };
      await keys.callAcross('finish', [id, fingerprint, answer], given, [change], patience, (rows) =>
        finish(rows, id, fingerprint, answer, keys.stored(answer)),
      );
    },
    { ...heldCases, hint: 'a look now and an update later leave a gap for another process' },
  ),

  '3.4 in any sequence of calls finish does as the model says': sequenceClause(3),
});
