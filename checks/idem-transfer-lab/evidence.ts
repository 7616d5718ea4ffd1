import { type Evidence, foundLocked, readOnce, signsIn } from '../../harness/evidence.ts';
import { accountOf, lookOf } from './evidence/account.ts';
import {
  executionSigns,
  outputSigns,
  purgeSigns,
  refusalSigns,
  retrySigns,
} from './evidence/commands-evidence.ts';
import { fileSigns } from './evidence/files-evidence.ts';
import { moneySigns } from './evidence/money-evidence.ts';

const signs = [outputSigns, executionSigns, retrySigns, refusalSigns, purgeSigns, moneySigns];

const account = readOnce(accountOf);

/** What cases of this lab show of their cause; where several causes make the same of a case, the hint fits them all. */
export const evidence: readonly Evidence[] = [
  { hint: 'lockLeft', shows: foundLocked },
  ...signsIn(readOnce(lookOf), fileSigns),
  ...signs.flatMap((some) => signsIn(account, some)),
];
