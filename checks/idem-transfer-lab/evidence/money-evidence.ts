import type { Signs } from '../../../harness/evidence.ts';
import { isList, Tuple, type Value } from '../../../harness/value.ts';
import { balances, moved } from '../bank.ts';
import type { Body } from '../model.ts';
import { type Account, differenceOf, isExecuted } from './account.ts';

/* Signs in what became of the money. */

export const moneySigns: Signs<Account> = {
  debitOnly: (account) => isExecuted(account.command) && isOff(account, 0, -1),
  creditOnly: (account) => isExecuted(account.command) && isOff(account, 1, 0),
  balancesUnmoved: (account) => isExecuted(account.command) && isOff(account, 1, -1),
  movedTwice: (account) => isExecuted(account.command) && isOff(account, -1, 1),
  crashMoved: (account) => account.command.crash && isOff(account, -1, 1),
  halfMoved: (account) => !isExecuted(account.command) && (isOff(account, -1, 0) || isOff(account, 0, 1)),
  retryMoved: (account) => !isExecuted(account.command) && isOff(account, -1, 1),
  transfersPurged: (account) => {
    const { missing, extra } = rowsOff(account);
    return account.command.purge !== undefined && missing.length > 0 && extra.length === 0;
  },
  transferRowMissing: (account) => {
    const { missing, extra } = rowsOff(account);
    return (
      isExecuted(account.command) &&
      missing.length === 1 &&
      extra.length === 0 &&
      missing[0] === told(account)
    );
  },
  transferRowReversed: (account) => {
    const { missing, extra } = rowsOff(account);
    return missing[0] === told(account) && extra.length === 1 && extra[0] === told(account, true);
  },
  transferRowTwice: (account) => {
    const { missing, extra } = rowsOff(account);
    return missing.length === 0 && extra.length === 1 && extra[0] === told(account);
  },
};

function bodyOf({ command }: Account): Body | undefined {
  return command.request?.body;
}

/** Whether both balances of the request, and no other, are off by so many times its amount. */
function isOff(account: Account, src: number, dst: number): boolean {
  const { seen, expected, sql } = account;
  const body = bodyOf(account);
  if (sql !== balances || !body || !isList(seen) || !isList(expected)) return false;
  const off = new Map([
    [body.src, src * body.amount],
    [body.dst, dst * body.amount],
  ]);
  const found = new Map(seen.map(pairOf));
  return expected
    .map(pairOf)
    .every(([account, balance]) => (found.get(account) ?? Number.NaN) - balance === (off.get(account) ?? 0));
}

function pairOf(row: Value): [string, number] {
  const [account, balance] = row instanceof Tuple ? row.items : [];
  return [String(account), Number(balance)];
}

/** The rows of transfer that are not there and had to be, and those that had not. */
function rowsOff({ seen, expected, sql }: Account): ReturnType<typeof differenceOf> {
  if (sql !== moved || !isList(seen) || !isList(expected)) return { missing: [], extra: [] };
  return differenceOf(seen.map(textOf), expected.map(textOf));
}

function textOf(row: Value): string {
  return JSON.stringify(row instanceof Tuple ? row.items.map(String) : []);
}

/** The row of the request, or of one that goes the other way. */
function told(account: Account, reversed = false): string | undefined {
  const body = bodyOf(account);
  if (!body) return undefined;
  const { src, dst, amount, currency } = body;
  return JSON.stringify([...(reversed ? [dst, src] : [src, dst]), String(amount), currency]);
}
