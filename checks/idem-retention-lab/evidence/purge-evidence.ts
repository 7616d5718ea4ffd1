import type { Signs } from '../../../harness/evidence.ts';
import { Thrown } from '../../../harness/expectation.ts';
import { isList, same } from '../../../harness/value.ts';
import { byCodePoint, type Row } from '../model.ts';
import { type Account, type Cells, cells, effectOf, sameCells } from './account.ts';
import { isLike } from './alike.ts';
import { columns, holds, idsGone, resultOf } from './differences.ts';
import { asked, isDue } from './lists-evidence.ts';

/* Signs in the rows that purge deleted, and in what another connection changed while a call waited. */

export const purgeSigns: Signs<Account> = {
  halfDeleted: (account) => account.guarded && idsGone(account).length > 0,
  reportedGone: (account) => {
    const seen = account.guarded ? resultOf(account, 'purge')?.seen : undefined;
    return seen !== undefined && isList(seen) && seen.length > 0;
  },
  pendingGone: (account) => goneBeside(account) === 'pendingGone',
  limitNotInDelete: (account) => goneBeside(account) === 'limitNotInDelete',
  rangeDeleted: (account) => goneBeside(account) === 'rangeDeleted',
  deletedByLike: (account) => goneBeside(account) === 'deletedByLike',
  moreGone: (account) => goneBeside(account) === 'moreGone',
};

type Beside = 'pendingGone' | 'limitNotInDelete' | 'rangeDeleted' | 'deletedByLike' | 'moreGone';

/** Why rows went beside those that the answer names, which are the right ones. */
function goneBeside({ call, ...account }: Account): Beside | undefined {
  const gone = call.name === 'purge' ? idsGone({ call, ...account }) : [];
  const named = effectOf(call, call.rows).result;
  if (gone.length === 0 || !isList(named)) return undefined;
  const { now, rows } = asked(call);
  const ids = named.map(String);
  const [first, last] = [ids[0] ?? '', ids.at(-1) ?? ''];
  const reasons: Record<Exclude<Beside, 'moreGone'>, (row: Row) => boolean> = {
    pendingGone: ({ id, status, expires }) => status === 'pending' && expires <= now && gone.includes(id),
    limitNotInDelete: (row) => isDue(row, now),
    rangeDeleted: ({ id }) => ids.length > 0 && byCodePoint(first, id) <= 0 && byCodePoint(id, last) <= 0,
    deletedByLike: ({ id }) => ids.some((pattern) => isLike(pattern, id)),
  };
  const explaining = (Object.keys(reasons) as (keyof typeof reasons)[]).filter((reason) => {
    const others = rows.filter((row) => !ids.includes(row.id) && reasons[reason](row)).map(({ id }) => id);
    return same(others.sort(), [...gone].sort());
  });
  const [only, ...more] = explaining;
  return only && more.length === 0 ? only : 'moreGone';
}

/** What came of a call that another connection's change ran into. */
export const heldSigns: Signs<Account> = {
  raceInsertFails: ({ held }) =>
    held?.result instanceof Thrown && /UNIQUE constraint failed/.test(held.result.chain[0].message),
  purgeGap: (account) => account.call.name === 'purge' && decidedBefore(account),
  changedInBetween: decidedBefore,
};

/** Whether what was decided on the rows before the change was done to those after it. */
function decidedBefore({ call, held }: Account): boolean {
  const decided = effectOf(call, call.rows);
  if (!held || !same(held.result, decided.result)) return false;
  if (call.name !== 'purge') {
    const row = decided.rows.get(String(call.args[0]));
    const found = held.rows.find(([id]) => id === row?.id);
    if (!row || !found || decided.result !== true) return false;
    return call.name === 'reserve' ? sameCells(found, cells(row)) : isFinished(found, row);
  }
  const ids = isList(decided.result) ? decided.result : [];
  return holds(held.rows, new Map([...held.after].filter(([id]) => !ids.includes(id))));
}

/** Whether the row has what finish stores, whatever else it has. */
function isFinished(found: Cells, { status, response }: Row): boolean {
  return found[columns.status] === status && same(found[columns.response] ?? null, response);
}
