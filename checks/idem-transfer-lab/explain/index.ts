import type { LabExplained } from '../../../harness/explanation.ts';
import {
  canonicalJson,
  httpSemantics,
  idempotencyKeyDraft,
  pythonSqlite,
  sqliteTransactions,
  stripe,
  timestamps,
} from '../../sources.ts';
import { en } from './en.ts';
import { ja } from './ja.ts';
import { ko } from './ko.ts';
import { zh } from './zh.ts';

const explained: LabExplained = {
  explanations: { en, ja, ko, zh },
  sources: {
    '1.2': [httpSemantics],
    '3.2': [stripe, idempotencyKeyDraft],
    '4.1': [idempotencyKeyDraft, stripe],
    '4.2': [canonicalJson, idempotencyKeyDraft],
    '5.1': [idempotencyKeyDraft],
    '5.2': [sqliteTransactions],
    '5.3': [sqliteTransactions, pythonSqlite],
    '6.1': [stripe, idempotencyKeyDraft],
    '7.1': [idempotencyKeyDraft],
    '7.2': [stripe, timestamps],
    '7.3': [timestamps],
    '7.4': [idempotencyKeyDraft],
  },
};

export default explained;
