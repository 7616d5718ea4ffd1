import {
  type Evidence,
  foundInTransaction,
  foundLocked,
  type HintKey,
  readOnce,
  signsIn,
} from '../../harness/evidence.ts';
import { accountOf } from './evidence/account.ts';
import { countSigns, cycleSigns } from './evidence/counts-evidence.ts';
import { anySigns, fetchSigns, finishSigns, reserveSigns, tableSigns } from './evidence/keys-evidence.ts';
import { limitSigns, listSigns } from './evidence/lists-evidence.ts';
import { heldSigns, purgeSigns } from './evidence/purge-evidence.ts';

const orders: readonly HintKey[] = [
  'descending',
  'insertionOrder',
  'orderByExpiry',
  'caseOrder',
  'utf16Order',
];

/** What a small case cannot tell apart. */
const covers: Partial<Record<HintKey, readonly HintKey[]>> = {
  otherOrder: orders,
  insertionOrder: ['descending'],
  moreGone: ['pendingGone', 'limitNotInDelete', 'rangeDeleted', 'deletedByLike'],
  limitAccepted: ['limitClamped'],
  limitExceeded: ['limitIgnored', 'limitOffByOne'],
  defaultLimit: ['limitIgnored', 'limitOffByOne'],
  boundary: ['nowRounded', 'wallClock', 'expiryIgnored'],
  boundaryOrClock: ['boundary', 'wallClock', 'expiryIgnored'],
  boundaryOrFraction: ['boundary', 'nowRounded', 'expiryIgnored'],
};

const signs = [
  ...[tableSigns, heldSigns, reserveSigns, finishSigns, fetchSigns],
  ...[limitSigns, listSigns, purgeSigns, countSigns, cycleSigns, anySigns],
];

const account = readOnce(accountOf);

/**
 * What cases of this lab show of their cause: what a cause makes of the case is worked out, and compared with what was
 * seen. Where several causes make the same of it, the hint fits them all, or there is none.
 */
export const evidence: readonly Evidence[] = [
  { hint: 'lockLeft', shows: foundLocked },
  { hint: 'transactionLeft', shows: foundInTransaction },
  ...signs.flatMap((some) => signsIn(account, some, covers)),
];
