import fc from 'fast-check';
import { clause, step } from '../../harness/contract.ts';
import { fewKeys, rows, tables } from './given.ts';
import { expectedColumns, Keys, schemaObjects, tableColumns } from './keys.ts';
import { rowsOf } from './model.ts';
import type { Context } from './sequence.ts';

/** Step 1: init_db makes the table, and is harmless when called again. */
export default step(1, 'init_db', {
  '1.1 the table has the five columns of the contract, in order, and takes every legal row': clause(
    { given: fc.oneof(tables(), tables(6, rows(fewKeys()))) },
    async ({ bench }: Context, { given }) => {
      const keys = new Keys(bench, bench.newDatabase());
      await keys.initialise();
      keys.expectQuery(tableColumns, expectedColumns);
      keys.lay(given);
      keys.expectRows(rowsOf(given));
    },
    { hint: 'compare names, types, NOT NULL and PRIMARY KEY with the contract, word for word' },
  ),

  '1.2 called again, from any process, it raises nothing and leaves rows and schema as they are': clause(
    { given: tables(4), again: fc.array(fc.constantFrom(0, 1), { minLength: 1, maxLength: 2 }) },
    async ({ bench, template }: Context, { given, again }) => {
      const rows = rowsOf(given);
      const keys = await Keys.initialised(bench, template, rows);
      const schema = keys.query(schemaObjects);
      for (const process of again) {
        await keys.initialise(process);
        keys.expectRows(rows);
      }
      keys.expectQuery(schemaObjects, schema);
    },
    { hint: 'what does the second call meet that the first did not?' },
  ),
});
