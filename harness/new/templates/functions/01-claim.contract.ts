import fc from 'fast-check';
import { type Bench, clause, expectSame, step } from 'idem-lab-checks/contract';
import { claim, table } from './model.ts';

/** Keys that a careless comparison takes for one another. A small pool makes it likely that one comes twice. */
const keys = fc.constantFrom('a', 'b', 'A', 'a ', '', 'é', 'e\u0301', '1', '01', '%');

/** Step 1: claim grants a key once. */
export default step(1, 'claim', {
  '1.1 a key is granted to whoever asks for it first, and the table holds every key once': clause(
    { claims: fc.array(keys, { minLength: 1, maxLength: 5 }) },
    async ({ bench }: { readonly bench: Bench }, { claims }) => {
      const path = bench.newDatabase();
      const granted = new Set<string>();
      for (const key of claims) {
        const outcome = await bench.call({ process: 0, name: 'claim', args: [path, key] });
        expectSame(outcome, claim(granted, key));
        bench.expectRows(path, 'SELECT key FROM claims ORDER BY key COLLATE BINARY', table(granted));
      }
    },
    { hint: 'what does the second one to ask get?' },
  ),
});
