import { clause, step } from '../../harness/contract.ts';
import { OneOf } from '../../harness/expectation.ts';
import { dict } from '../../harness/value.ts';
import type { Context } from './context.ts';
import { duplicatesOf, readLog, readTransfers, sum } from './day.ts';
import { readJson } from './files.ts';
import { AnyOrder, Count, HasMembers } from './terms.ts';

/** Step 2: dup_report.json counts what the retries cost. */
export default step(2, 'the duplicates counted', {
  '2.1 dup_report.json has the numbers that idem.db has': clause(
    {},
    async ({ bench }: Context) => {
      const log = readLog(bench);
      const unique = new Set(log.map(({ key }) => key)).size;
      const reports = readTransfers(bench).map((transfers) => {
        const { keys, extra } = duplicatesOf(transfers);
        return new HasMembers(
          dict({
            requests: new Count(log.length),
            unique_keys: new Count(unique),
            duplicate_keys: new Count(keys.length),
            extra_transfers: new Count(extra.length),
            double_paid: new Count(sum(extra)),
            keys: new AnyOrder(keys),
          }),
        );
      });
      bench.look('dup_report.json', readJson(bench, 'dup_report.json'), new OneOf(reports));
    },
    { cases: 1, minimum: 1, hint: 'all of a key’s transfers but the first are extra' },
  ),
});
