import type { Signs } from '../../../harness/evidence.ts';
import { Refusal, Thrown } from '../../../harness/expectation.ts';
import { isList, same, type Value } from '../../../harness/value.ts';
import { byCodePoint, type Instant, type Row } from '../model.ts';
import { type Account, effectOf, type Made } from './account.ts';
import { idsGone, resultOf } from './differences.ts';

/* Signs in the lists that expired and purge answer, and in what becomes of their limit. */

const defaultLimit = 10;

/** The order that a careless query gives, of rows as they were inserted. */
const orders = {
  descending: (rows: readonly Row[]) => byId(rows).reverse(),
  insertionOrder: (rows: readonly Row[]) => rows,
  orderByExpiry: (rows: readonly Row[]) => byId(rows).sort((a, b) => Number(a.expires) - Number(b.expires)),
  caseOrder: (rows: readonly Row[]) => byText(rows, ({ id }) => id.toLowerCase()),
  utf16Order: (rows: readonly Row[]) => [...rows].sort((a, b) => (a.id < b.id ? -1 : 1)),
};
type Order = keyof typeof orders;

function byId(rows: readonly Row[]): Row[] {
  return byText(rows, ({ id }) => id);
}

function byText(rows: readonly Row[], textOf: (row: Row) => string): Row[] {
  return [...rows].sort((a, b) => byCodePoint(textOf(a), textOf(b)));
}

interface Listed {
  readonly seen: readonly Value[];
  readonly expected: readonly Value[];
  readonly now: Instant;
  /** As it was given. */
  readonly given: Value | undefined;
  readonly limit: number;
  /** All that are due, in the order in which they were inserted. */
  readonly due: readonly Row[];
  readonly rows: readonly Row[];
}

/** The list that expired or purge answered, where another list was due. */
function listed(account: Account): Listed | undefined {
  const { seen, expected } = resultOf(account, 'expired', 'purge') ?? {};
  if (seen === undefined || expected === undefined || !isList(seen) || !isList(expected)) return undefined;
  return { seen, expected, ...asked(account.call) };
}

/** What a call of expired or purge asks for. */
export function asked({ args, rows }: Made): Omit<Listed, 'seen' | 'expected'> {
  const [now, given] = args as [Instant, Value | undefined];
  const limit = given === undefined ? defaultLimit : Number(given);
  const all = [...rows.values()];
  return { now, given, limit, rows: all, due: all.filter((row) => isDue(row, now)) };
}

/** Whether a row may go. */
export function isDue({ status, expires }: Row, now: Instant): boolean {
  return status === 'done' && expires <= now;
}

function isListOf(seen: readonly Value[], rows: readonly Row[]): boolean {
  return same(
    seen,
    rows.map(({ id }) => id),
  );
}

/** The order in which the right ids stand, if it is a wrong one: the only one that explains it, or one that covers all. */
function wrongOrder(account: Account): Order | 'otherOrder' | undefined {
  const list = listed(account);
  if (!list || list.seen.length !== list.expected.length) return undefined;
  const explaining = (Object.keys(orders) as Order[]).filter((order) =>
    isListOf(list.seen, orders[order](list.due).slice(0, list.limit)),
  );
  const [first, ...others] = explaining;
  if (first && others.length === 0) return first;
  // Two rows are in both orders at once, and what is said of the first is true then, too.
  if (first === 'descending' && same(others, ['insertionOrder'])) return 'insertionOrder';
  const isSorted = same(texts(list.seen), texts(list.expected));
  return first || isSorted ? 'otherOrder' : undefined;
}

function texts(values: readonly Value[]): string[] {
  return values.map(String).sort();
}

export const listSigns: Signs<Account> = {
  countInsteadOfList: (account) => {
    const { seen, expected } = resultOf(account, 'expired', 'purge') ?? {};
    return (
      typeof seen === 'bigint' &&
      expected !== undefined &&
      isList(expected) &&
      Number(seen) === expected.length
    );
  },
  pendingGone: (account) => account.call.name === 'purge' && listsPending(account),
  pendingListed: (account) => listsPending(account),
  boundaryDue: (account) => {
    const list = listed(account);
    const wasRight = account.calls.slice(0, -1).some(hasBoundary);
    return list !== undefined && !wasRight && isWithoutBoundary(list) && !countsOthers(list);
  },
  descending: (account) => wrongOrder(account) === 'descending',
  insertionOrder: (account) => wrongOrder(account) === 'insertionOrder',
  orderByExpiry: (account) => wrongOrder(account) === 'orderByExpiry',
  caseOrder: (account) => wrongOrder(account) === 'caseOrder',
  utf16Order: (account) => wrongOrder(account) === 'utf16Order',
  otherOrder: (account) => wrongOrder(account) === 'otherOrder',
  limitBeforeFilter: (account) => {
    const list = listed(account);
    return list !== undefined && countsOthers(list) && !isWithoutBoundary(list);
  },
  defaultLimit: (account) => {
    const list = listed(account);
    return list?.given === undefined && firstFew(list) !== undefined;
  },
  limitIgnored: (account) => {
    const list = listed(account);
    return list !== undefined && list.due.length > list.limit + 1 && firstFew(list) === list.due.length;
  },
  limitOffByOne: (account) => {
    const list = listed(account);
    const few = firstFew(list);
    return few !== undefined && few !== list?.due.length && Math.abs(few - (list?.limit ?? 0)) === 1;
  },
  limitExceeded: (account) => {
    const list = listed(account);
    return (firstFew(list) ?? 0) > (list?.limit ?? 0);
  },
};

/** Whether the list is what it would be if a row were due only after the instant at which it expires. */
function isWithoutBoundary({ due, now, limit, seen }: Listed): boolean {
  const before = due.filter(({ expires }) => expires < now);
  return before.length < due.length && isListOf(seen, byId(before).slice(0, limit));
}

/** Whether the list is what it would be if the limit was for all rows, due or not. */
function countsOthers(list: Listed): boolean {
  const looked = byId(list.rows).slice(0, list.limit);
  return isListOf(
    list.seen,
    looked.filter((row) => isDue(row, list.now)),
  );
}

/** Whether a row that was due expired exactly at the `now` of this call. */
function hasBoundary(call: Made): boolean {
  if (!['expired', 'purge'].includes(call.name)) return false;
  const { due, now } = asked(call);
  return due.some(({ expires }) => Number(expires) === Number(now));
}

/** How many of those that are due are in the list, from the first on, in order. */
function firstFew(list: Listed | undefined): number | undefined {
  if (!list) return undefined;
  const few = list.seen.length;
  return isListOf(list.seen, byId(list.due).slice(0, few)) ? few : undefined;
}

/** Whether the list has pending ids, and is what it would be if the status did not count. */
function listsPending(account: Account): boolean {
  const list = listed(account);
  if (!list) return false;
  const old = byId(list.rows.filter(({ expires }) => expires <= list.now)).slice(0, list.limit);
  return old.some(({ status }) => status === 'pending') && isListOf(list.seen, old);
}

/** What was answered to a limit that is to be refused. */
function notRefused(account: Account): { readonly limit: Value; readonly seen: Value } | undefined {
  const { seen, expected } = resultOf(account, 'expired', 'purge') ?? {};
  if (seen === undefined || !(expected instanceof Refusal)) return undefined;
  return { limit: account.call.args[1] ?? null, seen };
}

export const limitSigns: Signs<Account> = {
  driverRefuses: (account) => {
    const seen = notRefused(account)?.seen;
    return seen instanceof Thrown && seen.fromDriver;
  },
  limitBool: (account) => typeof acceptedLimit(account) === 'boolean',
  limitConverted: (account) => ['string', 'number'].includes(typeof acceptedLimit(account)),
  limitClamped: (account) => {
    const limit = acceptedLimit(account);
    if (typeof limit !== 'bigint') return false;
    const seen = notRefused(account)?.seen as readonly Value[];
    const due = byId(asked(account.call).due);
    const clamped = due.slice(0, limit < 1n ? 1 : 100);
    const unchecked = limit < 0n ? due : due.slice(0, Number(limit));
    return isListOf(seen, clamped) && clamped.length !== unchecked.length;
  },
  limitAccepted: (account) => typeof acceptedLimit(account) === 'bigint',
  deletedBeforeCheck: (account) =>
    account.call.name === 'purge' &&
    effectOf(account.call, account.call.rows).result instanceof Refusal &&
    idsGone(account).length > 0,
};

/** The limit that was to be refused, where a list was answered. */
function acceptedLimit(account: Account): Value | undefined {
  const found = notRefused(account);
  return found && isList(found.seen) ? found.limit : undefined;
}
