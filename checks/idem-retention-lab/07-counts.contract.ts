import fc from 'fast-check';
import { clause, expectSame, step } from '../../harness/contract.ts';
import { largeTables, tables } from './given.ts';
import { Keys } from './keys.ts';
import { counts, rowsOf } from './model.ts';
import { type Context, sequenceClause } from './sequence.ts';

/** Step 7: counts tells how many keys are pending and done. */
export default step(7, 'counts', {
  '7.1 both states are counted, each under its name, 0 included; the rows stay': clause(
    { given: fc.oneof(tables(), largeTables()), later: fc.option(tables(), { freq: 2 }) },
    async ({ bench, template }: Context, { given, later }) => {
      const rows = rowsOf(given);
      const keys = Keys.holding(bench, template, rows);
      expectSame(await keys.call('counts', []), counts(rows));
      keys.expectRows(rows);
      if (!later) return;
      const changed = keys.replace(later);
      expectSame(await keys.call('counts', []), counts(changed));
    },
    { hint: 'an empty table has both counts, too' },
  ),

  '7.2 in any sequence of calls counts answers as the model says': sequenceClause(7),
});
