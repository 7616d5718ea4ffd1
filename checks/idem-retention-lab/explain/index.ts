import type { LabExplained } from '../../../harness/explanation.ts';
import {
  httpSemantics,
  idempotencyKeyDraft,
  pythonSqlite,
  sqliteConflicts,
  sqliteExpressions,
  sqliteTransactions,
  stripe,
} from '../../sources.ts';
import { en } from './en.ts';
import { ja } from './ja.ts';
import { ko } from './ko.ts';
import { zh } from './zh.ts';

const explained: LabExplained = {
  explanations: { en, ja, ko, zh },
  sources: {
    '2.1': [httpSemantics, pythonSqlite],
    '2.2': [sqliteConflicts],
    '2.3': [sqliteTransactions],
    '3.2': [stripe, sqliteExpressions],
    '3.3': [sqliteTransactions],
    '3.4': [pythonSqlite],
    '4.1': [stripe, idempotencyKeyDraft],
    '4.2': [stripe],
    '6.1': [stripe],
    '6.4': [sqliteTransactions, pythonSqlite],
    '6.5': [pythonSqlite],
    '8.1': [stripe, idempotencyKeyDraft],
  },
};

export default explained;
