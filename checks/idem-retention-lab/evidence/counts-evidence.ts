import type { Signs } from '../../../harness/evidence.ts';
import { isDict, isList, same, type Value } from '../../../harness/value.ts';
import type { Account } from './account.ts';
import { columns, isFalsy, resultOf } from './differences.ts';

/* Signs in what counts answers, in answers older than the table, and in the states that a key takes in a cycle. */

export const countSigns: Signs<Account> = {
  zeroMissing: (account) => {
    const counted = countsOf(account);
    const left = Object.entries(counted?.expected ?? {}).filter(([, count]) => count > 0);
    return counted !== undefined && same(Object.entries(counted.seen).flat(), left.flat());
  },
  pendingNotCounted: (account) => {
    const { seen, expected } = countsOf(account) ?? {};
    const left = seen?.pending === 0 && (expected?.pending ?? 0) > 0 && seen.done === expected?.done;
    return left && !isStale(account);
  },
  distinctCounted: (account) => {
    const counted = countsOf(account);
    const distinct = (status: string) => {
      const rows = [...account.call.rows.values()].filter((row) => row.status === status);
      return new Set(rows.map(({ fingerprint }) => fingerprint)).size;
    };
    return counted?.seen.pending === distinct('pending') && counted.seen.done === distinct('done');
  },
  staleAnswer: (account) => {
    const { seen, expected } = countsOf(account) ?? {};
    return isStale(account) && !(seen?.pending === 0 && seen.done === expected?.done);
  },
  countCapped: (account) => {
    const { pending = 0, done = 0 } = countsOf(account)?.seen ?? {};
    return [10, 100].includes(pending + done) && pending + done < account.call.rows.size;
  },
};

/** Whether the answer is that of an earlier call, though rows have changed since. */
function isStale({ call, calls, result }: Account): boolean {
  return (
    result !== undefined &&
    ['fetch', 'expired', 'counts'].includes(call.name) &&
    (isDict(result.seen) || !isFalsy(result.seen)) &&
    calls.some(
      ({ name, args, rows, outcome }) =>
        name === call.name &&
        rows !== call.rows &&
        same(args, call.args) &&
        outcome?.status === 'returned' &&
        same(outcome.value, result.seen),
    )
  );
}

type Counts = Readonly<Record<string, number>>;

function countsOf(account: Account): { readonly seen: Counts; readonly expected: Counts } | undefined {
  const { seen, expected } = resultOf(account, 'counts') ?? {};
  if (!(seen instanceof Map) || !(expected instanceof Map)) return undefined;
  const numbers = (counts: ReadonlyMap<Value, Value>): Counts =>
    Object.fromEntries([...counts].map(([name, count]) => [String(name), Number(count)]));
  return { seen: numbers(seen), expected: numbers(expected) };
}

export const cycleSigns: Signs<Account> = {
  cycleLeavesNothing: ({ call, table }) =>
    call.name === 'retention_cycle' && table?.seen.length === 0 && table.expected.length === 1,
  cycleFirstMarks: ({ call, table }) => {
    const row = table?.seen[0];
    const first = row?.[columns.fingerprint] === 'v1' || row?.[columns.expires] === 10;
    return call.name === 'retention_cycle' && table?.seen.length === 1 && first;
  },
  cycleSecondFails: (account) => resultOf(account, 'retention_cycle')?.seen === false,
  cycleNotReserved: (account) => missingState(account) === 'cycleNotReserved',
  cycleNotFinished: (account) => missingState(account) === 'cycleNotFinished',
  cycleOtherResponse: (account) => missingState(account) === 'cycleOtherResponse',
  cycleNotPurged: (account) => missingState(account) === 'cycleNotPurged',
};

type MissingState = 'cycleNotReserved' | 'cycleNotFinished' | 'cycleOtherResponse' | 'cycleNotPurged';

/** The first state that the key did not take on its way through the cycle. */
function missingState({ call, query }: Account): MissingState | undefined {
  if (call.name !== 'retention_cycle' || !query || !isList(query.seen)) return undefined;
  const rows = query.seen.map((row) => (row as { readonly items: readonly Value[] }).items);
  const has = (status: string, digest: Value) =>
    rows.some((row) => row[columns.fingerprint] === digest && row[2] === status);
  if (!has('pending', 'v1')) return 'cycleNotReserved';
  if (!has('done', 'v1')) return 'cycleNotFinished';
  return has('absent', null) ? 'cycleOtherResponse' : 'cycleNotPurged';
}
