import type { Bench } from '../../harness/bench.ts';
import { clause, step } from '../../harness/contract.ts';
import { OneOf, Through } from '../../harness/expectation.ts';
import { dict, type Value } from '../../harness/value.ts';
import type { Context } from './context.ts';
import { duplicatesOf, idealDay, type Move, readDay, readLog, readTransfers, sum, told } from './day.ts';
import { readJson, rowsOf } from './files.ts';
import { phrases, said } from './messages/phrases.ts';
import { AnyInt, Count, HasMembers } from './terms.ts';

const once = { cases: 1, minimum: 1 };

const headings = ['## 무엇이 잘못됐나', '## 어떻게 막았나', '## 남은 위험', '## 운영 규칙'];

/** Step 8: the same day once more, and no money twice. */
export default step(8, 'the day replayed', {
  '8.1 day.db has one transfer for each key, that of its first request': clause(
    {},
    async ({ bench }: Context) => {
      const day = readDay(bench);
      bench.look(
        said(phrases.columnsOf, { file: 'day.db', columns: 'src, dst, amount, currency', table: 'transfer' }),
        told(day, false),
        told(dueOf(bench, day), false),
      );
    },
    { ...once, hint: 'every request of the log is sent, in the order of seq' },
  ),

  '8.2 result.json has the numbers that idem.db and day.db have': clause(
    {},
    async ({ bench }: Context) => {
      const log = readLog(bench);
      const day = readDay(bench);
      const { executed, replayed, rejected } = idealDay(log);
      const allExecuted = day.length === executed.length;
      const expected = {
        requests: new Count(log.length),
        created: new Count(day.length),
        replayed: allExecuted ? new Count(replayed) : new AnyInt(),
        rejected: allExecuted ? new Count(rejected) : new AnyInt(),
        transfers: new Count(day.length),
        total_transferred: new Count(sum(day)),
        v1_total: new Count(sum(readTransfers(bench)[0] ?? [])),
        double_paid_avoided: new OneOf(avoided(bench, day).map((amount) => new Count(amount))),
      };
      bench.look('result.json', readJson(bench, 'result.json'), new HasMembers(dict(expected)));
    },
    { ...once, hint: 'each request is created, replayed or rejected: the three add up' },
  ),

  '8.3 idem_report.md has the four sections in order, each with text, and names the amount avoided': clause(
    {},
    async ({ bench }: Context) => {
      const text = bench.submittedText('idem_report.md').replaceAll('\r\n', '\n');
      bench.look(said(phrases.sections, { file: 'idem_report.md' }), sectionsOf(text), new Through(headings));
      const amounts = avoided(bench, readDay(bench));
      const named = amounts.find((amount) => names(text, amount)) ?? null;
      bench.look(said(phrases.amountAvoided, { file: 'idem_report.md' }), named, new OneOf(amounts));
    },
    { ...once, hint: 'the headings are those of the lab text, letter by letter' },
  ),
});

/**
 * The first request of each key. One that its account could not pay may be missing: whether a transfer needs funds
 * is not in the contract.
 */
function dueOf(bench: Bench, day: readonly Move[]): Move[] {
  const rows = rowsOf(
    bench,
    'idem.db',
    'SELECT CAST(acct_id AS TEXT), CAST(balance AS INTEGER) FROM account',
  );
  const balances = new Map(rows.map(([account, balance]) => [String(account), BigInt(balance as bigint)]));
  const done = told(day, false);
  return idealDay(readLog(bench)).executed.filter((move) => {
    const at = done.indexOf(told([move], false)[0] ?? '');
    if (at < 0) return (balances.get(move.src) ?? 0n) >= move.amount;
    done.splice(at, 1);
    balances.set(move.src, (balances.get(move.src) ?? 0n) - move.amount);
    balances.set(move.dst, (balances.get(move.dst) ?? 0n) + move.amount);
    return true;
  });
}

/** What was paid twice: what the old day moved beyond the new one, or all transfers of a key but its first. */
function avoided(bench: Bench, day: readonly Move[]): bigint[] {
  const orders = readTransfers(bench);
  const difference = sum(orders[0] ?? []) - sum(day);
  return [...new Set([difference, ...orders.map((transfers) => sum(duplicatesOf(transfers).extra))])];
}

/** The headings of the second level under which anything stands, without the blanks after them. */
function sectionsOf(text: string): Value[] {
  return text
    .split(/^(?=## )/m)
    .filter((section) => section.split('\n').slice(1).join('').trim() !== '')
    .map((section) => (section.split('\n')[0] ?? '').trimEnd());
}

/** Whether the text has the amount, plain or with commas between thousands, and not as a part of another number. */
function names(text: string, amount: bigint): boolean {
  const grouped = String(amount).replace(/\B(?=(\d{3})+$)/g, ',');
  return new RegExp(`(?<![\\d.,])(${amount}|${grouped})(?!,?\\d)`).test(text);
}
