import { clause, step } from '../../harness/contract.ts';
import type { Context } from './context.ts';
import { readLog, readTransfers, told } from './day.ts';
import { rowsOf } from './files.ts';
import { phrases, said } from './messages/phrases.ts';

/** A file is looked at once. */
const once = { cases: 1, minimum: 1 };

/** Step 1: idem.db is the day that went wrong. */
export default step(1, 'the log of the day', {
  '1.1 idem.db has eight accounts': clause(
    {},
    async ({ bench }: Context) => {
      const accounts = rowsOf(bench, 'idem.db', 'SELECT acct_id, holder, balance FROM account');
      bench.look(said(phrases.rowsOf, { file: 'idem.db', table: 'account' }), BigInt(accounts.length), 8n);
    },
    once,
  ),

  '1.2 req_log has 120 requests with 100 different keys, each with its body as JSON': clause(
    {},
    async ({ bench }: Context) => {
      const log = readLog(bench);
      bench.look(said(phrases.rowsOf, { file: 'idem.db', table: 'req_log' }), BigInt(log.length), 120n);
      bench.look(
        said(phrases.differentIn, { file: 'idem.db', column: 'idem_key', table: 'req_log' }),
        BigInt(new Set(log.map(({ key }) => key)).size),
        100n,
      );
    },
    { ...once, hint: 'a retry is one more row with the same key' },
  ),

  '1.3 transfer_v1 has 120 transfers, one for each request': clause(
    {},
    async ({ bench }: Context) => {
      const [transfers = []] = readTransfers(bench);
      bench.look(
        said(phrases.rowsOf, { file: 'idem.db', table: 'transfer_v1' }),
        BigInt(transfers.length),
        120n,
      );
      bench.look(
        said(phrases.columnsOf, {
          file: 'idem.db',
          columns: 'key, src, dst, amount, currency',
          table: 'transfer_v1',
        }),
        told(transfers, true),
        told(readLog(bench), true),
      );
    },
    { ...once, hint: 'the old system executed every request that it got' },
  ),
});
