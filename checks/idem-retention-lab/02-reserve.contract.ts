import fc from 'fast-check';
import { clause, heldCases, step } from '../../harness/contract.ts';
import { digests, keys as ids, instants, patience, rows, tables } from './given.ts';
import { expectEffect, Keys } from './keys.ts';
import { reserve, rowsOf, withoutRows } from './model.ts';
import { type Context, sequenceClause } from './sequence.ts';

/** Step 2: reserve takes a key that is free, and only such a key. */
export default step(2, 'reserve', {
  '2.1 an absent key is inserted as pending, without a response, and the answer is True': clause(
    { given: tables(), key: ids(), digest: digests(), expires: instants() },
    async ({ bench, template }: Context, { given, key, digest, expires }) => {
      const before = withoutRows(rowsOf(given), [key]);
      const keys = Keys.holding(bench, template, before);
      await expectEffect(
        keys,
        keys.call('reserve', [key, digest, expires]),
        reserve(before, key, digest, expires),
      );
    },
    { hint: 'which value goes into which column, and is it stored exactly as given?' },
  ),

  '2.2 a key that exists stays as it is, whatever its status, digest or expiry, and the answer is False':
    clause(
      { row: rows(), others: tables(3), digest: digests(), expires: instants() },
      async ({ bench, template }: Context, { row, others, digest, expires }) => {
        const before = rowsOf([...others, row]);
        const keys = Keys.holding(bench, template, before);
        const outcome = keys.call('reserve', [row.id, digest, expires]);
        await expectEffect(keys, outcome, reserve(before, row.id, digest, expires));
      },
      { hint: 'an expired key is a key, too' },
    ),

  '2.3 the key is looked at and taken in one go: a row that comes or goes meanwhile is respected': clause(
    {
      key: ids(),
      meanwhile: fc.oneof(
        { weight: 4, arbitrary: fc.record({ before: fc.constant(null), after: rows() }) },
        { weight: 1, arbitrary: fc.record({ before: rows(), after: rows() }) },
        { weight: 1, arbitrary: fc.record({ before: rows(), after: fc.constant(null) }) },
      ),
      digest: digests(),
      expires: instants(),
      patience: patience(),
    },
    async (
      { bench, template }: Context,
      { key, meanwhile: { before, after }, digest, expires, patience },
    ) => {
      const given = rowsOf(before ? [{ ...before, id: key }] : []);
      const keys = Keys.holding(bench, template, given);
      const change = after ? { put: { ...after, id: key } } : { remove: key };
      await keys.callAcross('reserve', [key, digest, expires], given, [change], patience, (rows) =>
        reserve(rows, key, digest, expires),
      );
    },
    { ...heldCases, hint: 'a look now and an insert later leave a gap for another process' },
  ),

  '2.4 in any sequence of calls reserve does as the model says': sequenceClause(2),
});
