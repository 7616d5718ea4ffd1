import fc, { type Arbitrary } from 'fast-check';
import { clause, expectSame, heldCases, step } from '../../harness/contract.ts';
import {
  badLimits,
  doneRows,
  dueBy,
  instants,
  largeTables,
  limits,
  patience,
  pending,
  rows,
  tables,
} from './given.ts';
import { type Change, expectEffect, Keys } from './keys.ts';
import { type Instant, purge, type Row, rowsOf } from './model.ts';
import { type Context, sequenceClause } from './sequence.ts';

/** Step 6: purge selects and deletes in one transaction. */
export default step(6, 'purge', {
  '6.1 the ids that are done and expired go, all others stay; the answer lists them, ascending by code point':
    clause(
      {
        due: tables(5, doneRows()),
        others: tables(4, rows()),
        now: instants(),
        limit: fc.constantFrom(100n, 10n, 2n, 1n),
      },
      async ({ bench, template }: Context, { due, others, now, limit }) => {
        const given = rowsOf([...others, ...due.map((row) => dueBy(row, now))]);
        const keys = Keys.holding(bench, template, given);
        await expectEffect(keys, keys.call('purge', [now, limit]), purge(given, now, limit));
      },
      { hint: 'a pending row never goes, however old it is' },
    ),

  '6.2 at most `limit` rows go, the first ones, and 10 where none is given': clause(
    { given: largeTables(), now: instants(), limit: limits() },
    async ({ bench, template }: Context, { given, now, limit }) => {
      const rows = rowsOf(given);
      const keys = Keys.holding(bench, template, rows);
      await expectEffect(keys, keys.call('purge', [now, limit]), purge(rows, now, limit));
    },
    { hint: 'more rows than the limit, in no order' },
  ),

  '6.3 a limit that is not an int from 1 to 100 is refused by an exception of its own; no row goes': clause(
    { given: tables(3, doneRows()), now: instants(), limit: badLimits() },
    async ({ bench, template }: Context, { given, now, limit }) => {
      const rows = rowsOf(given);
      const keys = Keys.holding(bench, template, rows);
      const fit = keys.fit(limit);
      await expectEffect(keys, keys.call('purge', [now, fit]), purge(rows, now, fit));
    },
    { hint: 'the same check as in step 5, before anything is deleted' },
  ),

  '6.4 no row changes between select and delete: a key that came back meanwhile stays': clause(
    {
      first: doneRows(),
      others: tables(3, rows()),
      changes: changesMeanwhile(),
      now: instants(),
      limit: fc.constantFrom(undefined, undefined, 2n, 1n),
      patience: patience(),
    },
    async ({ bench, template }: Context, { first, others, changes, now, limit, patience }) => {
      const given = rowsOf([...others, first].map((row) => dueBy(row, now)));
      const ids = [first.id, ...given.keys()];
      const moves = changes.map(({ which, fate, row }): Change => {
        const id = ids[which] ?? row.id;
        return fate === 'gone' ? { remove: id } : { put: { ...fates[fate](row, now), id } };
      });
      const keys = Keys.holding(bench, template, given);
      await keys.callAcross('purge', [now, limit], given, moves, patience, (rows) => purge(rows, now, limit));
    },
    { ...heldCases, hint: 'when does the transaction begin: before the SELECT, or only at the DELETE?' },
  ),

  '6.5 if one row cannot be deleted none is: nothing is reported gone that is there, and no lock is left':
    clause(
      { due: tables(5, doneRows(), 1), which: fc.nat(4), now: instants() },
      async ({ bench, template }: Context, { due, which, now }) => {
        const given = rowsOf(due.map((row) => dueBy(row, now)));
        const keys = Keys.holding(bench, template, given);
        keys.forbidDeletionOf([...given.keys()][which % given.size] ?? '');
        const outcome = await keys.call('purge', [now]);
        keys.expectRows(given);
        if (outcome.status === 'returned') expectSame(outcome, []);
        keys.expectUnlocked();
      },
      { hint: 'a transaction is ended in every case: by COMMIT, or by ROLLBACK' },
    ),

  '6.6 in any sequence of calls purge does as the model says': sequenceClause(6),
});

/** What happens to a row between select and delete: `which` counts the rows there are, and beyond them is a new one. */
interface Meanwhile {
  readonly which: number;
  readonly fate: keyof typeof fates | 'gone';
  readonly row: Row;
}

const fates = {
  /** Reserved again. */
  back: (row: Row) => pending(row),
  /** Finished by someone with a longer life. */
  kept: (row: Row) => ({ ...row, expires: Number.MAX_VALUE }),
  /** One more that may go. */
  due: (row: Row, now: Instant) => ({ ...row, expires: now }),
};

/** The first change is one of a row that purge has selected, and mostly one that keeps it from being deleted. */
function changesMeanwhile(): Arbitrary<Meanwhile[]> {
  const one = (which: Arbitrary<number>, fates: Meanwhile['fate'][]) =>
    fc.record({ which, fate: fc.constantFrom(...fates), row: doneRows() });
  const first = one(fc.constant(0), ['back', 'kept', 'back', 'kept', 'due', 'gone']);
  const others = fc.array(one(fc.nat(4), ['back', 'kept', 'due', 'gone']), { maxLength: 2 });
  return fc.tuple(first, others).map(([first, others]) => [first, ...others]);
}
