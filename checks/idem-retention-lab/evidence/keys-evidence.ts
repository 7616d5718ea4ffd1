import { type Signs, sameButForTypes } from '../../../harness/evidence.ts';
import { JsonOf, Thrown } from '../../../harness/expectation.ts';
import { fromJson } from '../../../harness/json.ts';
import { isList, same, Tuple, type Value } from '../../../harness/value.ts';
import { tableColumns } from '../keys.ts';
import type { Instant, Row } from '../model.ts';
import type { Account } from './account.ts';
import { isLike, type Likeness, likenessOf } from './alike.ts';
import {
  answers,
  columns,
  differencesOf,
  idsGone,
  isFalsy,
  isUnchanged,
  onlyCell,
  resultOf,
  rowOf,
  textAt,
} from './differences.ts';

/* Signs in what concerns one key: the table that it lies in, reserve, finish and fetch. */

export const tableSigns: Signs<Account> = {
  tableExists: (account) => {
    const seen = resultOf(account, 'init_db')?.seen;
    return seen instanceof Thrown && seen.chain[0].message.includes('already exists');
  },
  initForgetsRows: ({ call, table }) =>
    call.name === 'init_db' && table?.seen.length === 0 && table.expected.length > 0,
  tableMissing: (account) => tableFault(account) === 'tableMissing',
  columnNames: (account) => tableFault(account) === 'columnNames',
  columnType: (account) => tableFault(account) === 'columnType',
  primaryKeyMissing: (account) => tableFault(account) === 'primaryKeyMissing',
  notNullMissing: (account) => tableFault(account) === 'notNullMissing',
  notNullExtra: (account) => tableFault(account) === 'notNullExtra',
  idsMerged: ({ refused }) =>
    refused !== undefined &&
    /UNIQUE constraint failed: keys\.id$/.test(refused.message) &&
    refused.ids.some((id) => refused.ids.some((other) => likenessOf(id, other))),
};

type TableFault =
  | 'tableMissing'
  | 'columnNames'
  | 'columnType'
  | 'primaryKeyMissing'
  | 'notNullMissing'
  | 'notNullExtra';

/** Where the table that `init_db` made begins to differ from the one that was asked for. */
function tableFault({ query }: Account): TableFault | undefined {
  if (query?.sql !== tableColumns || !isList(query.seen) || !isList(query.expected)) return undefined;
  const [seen, expected] = [query.seen, query.expected].map((rows) =>
    rows.map((row) => (row instanceof Tuple ? row.items : [])),
  ) as [Value[][], Value[][]];
  const differing = (place: number) =>
    seen.find((row, index) => !same(row[place] ?? null, expected[index]?.[place] ?? null));
  if (seen.length === 0) return 'tableMissing';
  if (seen.length !== expected.length || differing(0)) return 'columnNames';
  if (differing(1)) return 'columnType';
  if (differing(3)) return 'primaryKeyMissing';
  return differing(2)?.[2] === 0n ? 'notNullMissing' : 'notNullExtra';
}

export const reserveSigns: Signs<Account> = {
  integrityLeak: (account) => {
    const seen = resultOf(account, 'reserve')?.seen;
    return seen instanceof Thrown && /UNIQUE constraint failed/.test(seen.chain[0].message);
  },
  normalised: (account) => tookForAnother(account) === 'normalised',
  trimmed: (account) => tookForAnother(account) === 'trimmed',
  caseFolded: (account) => tookForAnother(account) === 'caseFolded',
  likeWildcards: (account) => tookForAnother(account) === 'likeWildcards',
  keyTaken: (account) => resultOf(account, 'reserve')?.seen === true && rowOf(account.call) !== undefined,
  existingRowChanged: (account) => {
    const found = differencesOf(account);
    const [row, ...others] = found?.altered ?? [];
    const key = textAt(account.call, 0);
    const alone = found !== undefined && others.length + found.gone.length + found.extra.length === 0;
    return account.call.name === 'reserve' && alone && row?.expected[0] === key && account.call.rows.has(key);
  },
  timeRounded: (account) => {
    const cell = onlyCell(account, columns.expires);
    const given = account.call.args[2];
    const reserved = account.call.name === 'reserve' && cell?.id === textAt(account.call, 0);
    return reserved && isInstant(given) && rounded(Number(given)).includes(Number(cell.seen));
  },
  nullAsText: (account) => {
    const cell = onlyCell(account, columns.response);
    return account.call.name === 'reserve' && cell?.expected === null && typeof cell.seen === 'string';
  },
};

function isInstant(value: Value | undefined): value is Instant {
  return typeof value === 'bigint' || typeof value === 'number';
}

/** The instant as careless hands round it, where that makes a difference. */
function rounded(instant: number): readonly number[] {
  const digits = [0, 1, 2, 3, 6].map((places) => Math.round(instant * 10 ** places) / 10 ** places);
  return [Math.trunc(instant), Math.floor(instant), Math.ceil(instant), ...digits].filter(
    (it) => it !== instant,
  );
}

/** How the key was taken for another one, by what was answered or by the row that was written. */
function tookForAnother(account: Account): Likeness | undefined {
  const { call, result } = account;
  const key = textAt(call, 0);
  const others = [...call.rows.values()].filter(({ id }) => likenessOf(key, id));
  const found = (row: Row | undefined) => row && likenessOf(key, row.id);
  if (!result) {
    const { extra = [], gone = [] } = differencesOf(account) ?? {};
    const written =
      call.name === 'reserve' && extra.length === 1 && gone.length === 1 && gone[0]?.[0] === key;
    return written ? likenessOf(key, String(extra[0]?.[0])) : undefined;
  }
  switch (call.name) {
    case 'reserve':
      return result.seen === false && !call.rows.has(key) ? found(others[0]) : undefined;
    case 'finish':
      if (result.seen !== true || call.rows.has(key)) return undefined;
      return found(
        others.find(({ status, fingerprint }) => status === 'pending' && fingerprint === call.args[1]),
      );
    case 'fetch': {
      const now = call.args[1] as Instant;
      const live = others.filter(({ status, expires }) => status === 'done' && expires > now);
      return result.seen === null ? undefined : found(live.find((row) => answers(result.seen, row)));
    }
    default:
      return undefined;
  }
}

export const finishSigns: Signs<Account> = {
  jsonTwice: (account) => {
    const { text, value } = stored(account) ?? {};
    const inner = parsed(text);
    return value !== undefined && typeof inner === 'string' && sameButForTypes(parsed(inner) ?? null, value);
  },
  storedOtherType: (account) => {
    const { text, value } = stored(account) ?? {};
    const found = parsed(text);
    return value !== undefined && found !== undefined && sameButForTypes(found, value);
  },
  notJson: (account) => {
    const { text } = stored(account) ?? {};
    return typeof text === 'string' && parsed(text) === undefined;
  },
  falsyLost: (account) => {
    const { text, value } = stored(account) ?? {};
    const fetched = resultOf(account, 'fetch');
    if (fetched) return fetched.seen === null && fetched.expected !== null && isFalsy(fetched.expected);
    return text === null && value !== undefined && isFalsy(value);
  },
  responseNull: (account) => stored(account)?.text === null,
  finishedTwice: (account) => {
    const row = finished(account, true);
    return row?.status === 'done' && row.fingerprint === account.call.args[1];
  },
  fingerprintLoosely: (account) => {
    const row = finished(account, true);
    const given = textAt(account.call, 1);
    return row?.status === 'pending' && given !== row.fingerprint && isLike(given, row.fingerprint);
  },
  fingerprintIgnored: (account) => {
    const row = finished(account, true);
    return row?.status === 'pending' && row.fingerprint !== account.call.args[1];
  },
  trueForNothing: (account) => resultOf(account, 'finish')?.seen === true && !rowOf(account.call),
  pendingNotFinished: (account) => {
    const row = finished(account, false);
    return row?.status === 'pending' && row.fingerprint === account.call.args[1];
  },
};

/** What finish left in the only cell that is wrong, and the value that it had to be JSON of. */
function stored(account: Account): { readonly text: Value; readonly value: Value } | undefined {
  const cell = account.call.name === 'finish' ? onlyCell(account, columns.response) : undefined;
  return cell?.expected instanceof JsonOf ? { text: cell.seen, value: cell.expected.value } : undefined;
}

function parsed(text: Value | undefined): Value | undefined {
  try {
    return typeof text === 'string' ? fromJson(text) : undefined;
  } catch {
    return undefined; // no JSON
  }
}

/** The row of the key, where finish gave this answer and had to give the other. */
function finished(account: Account, answer: boolean): Row | undefined {
  const result = resultOf(account, 'finish');
  return result?.seen === answer && result.expected === !answer ? rowOf(account.call) : undefined;
}

export const fetchSigns: Signs<Account> = {
  notParsed: (account) => {
    const seen = resultOf(account, 'fetch')?.seen;
    return typeof seen === 'string' && seen === rowOf(account.call)?.response;
  },
  nowRounded: (account) =>
    replayed(account, ({ expires }, now) => rounded(now).some((it) => it < expires) && expires < now),
  boundaryOrFraction: (account) =>
    replayed(account, ({ expires }, now) => Number(expires) === now && !Number.isInteger(now)),
  boundaryOrClock: (account) =>
    replayed(account, ({ expires }, now) => Number(expires) === now && now > Date.now() / 1000),
  boundary: (account) => replayed(account, ({ expires }, now) => Number(expires) === now),
  wallClock: (account) => replayed(account, ({ expires }) => expires > Date.now() / 1000),
  expiryIgnored: (account) => replayed(account, () => true),
  nothingToParse: (account) => {
    const { seen, expected } = resultOf(account, 'fetch') ?? {};
    return expected === null && seen instanceof Thrown && !seen.gaveUp;
  },
  liveNotReplayed: (account) => {
    const { seen, expected } = resultOf(account, 'fetch') ?? {};
    return seen === null && expected !== undefined && !isFalsy(expected);
  },
  lazyDeletion: (account) => {
    const ids = account.call.name === 'fetch' ? idsGone(account) : [];
    const nows = account.calls.filter(({ name }) => name === 'fetch').map(({ args }) => args[1] as Instant);
    const isDue = (id: string) => {
      const row = account.call.rows.get(id);
      return row?.status === 'done' && nows.some((now) => row.expires <= now);
    };
    return ids.length > 0 && ids.every(isDue);
  },
  slidingExpiry: (account) => {
    const cell = account.call.name === 'fetch' ? onlyCell(account, columns.expires) : undefined;
    return cell !== undefined && Number(cell.seen) > Number(cell.expected);
  },
};

/** Whether fetch answered the response of a row that had expired, and that is so of the row and of `now`. */
function replayed(account: Account, is: (row: Row, now: number) => boolean): boolean {
  const result = resultOf(account, 'fetch');
  const row = rowOf(account.call);
  const now = account.call.args[1];
  if (result?.expected !== null || row?.status !== 'done' || !isInstant(now) || row.expires > now)
    return false;
  return result.seen !== null && answers(result.seen, row) && is(row, Number(now));
}

export const anySigns: Signs<Account> = {
  otherType: ({ result }) => result !== undefined && sameButForTypes(result.seen, result.expected),
  firstDatabase: (account) => {
    const { call, calls, databases, result } = account;
    const elsewhere = calls.filter(
      ({ database, process }) => database !== call.database && process === call.process,
    );
    if (!result) return isUnchanged(account) && elsewhere.some(({ name }) => name === call.name);
    const key = textAt(call, 0);
    const wrong = call.name === 'reserve' && result.seen === false && !call.rows.has(key);
    return wrong && elsewhere.some(({ database }) => databases.get(database)?.has(key));
  },
  notCommitted: (account) =>
    ['reserve', 'finish', 'purge'].includes(account.call.name) &&
    isUnchanged(account) &&
    account.calls.every(({ database }) => database === account.call.database),
};
