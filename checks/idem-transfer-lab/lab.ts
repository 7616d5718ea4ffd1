import type { Lab } from '../../harness/contract.ts';
import requestLog from './01-request-log.contract.ts';
import duplicates from './02-duplicates.contract.ts';
import uniqueKey from './03-unique-key.contract.ts';
import fingerprint from './04-fingerprint.contract.ts';
import twoPhases from './05-two-phases.contract.ts';
import replay from './06-replay.contract.ts';
import scopeAndRetention from './07-scope-and-retention.contract.ts';
import replayedDay from './08-replayed-day.contract.ts';
import type { Context } from './context.ts';
import { evidence } from './evidence.ts';

import { ja } from './messages/ja.ts';
import { ko } from './messages/ko.ts';
import { zh } from './messages/zh.ts';

/** A transfer that a client sends twice is executed once. */
const lab: Lab<Context, undefined> = {
  id: 'idem-transfer-lab',
  title: 'The same transfer went out twice',
  kind: 'scripts',
  entry: 'idem_api',
  home: '/root/idem',
  budget: 60,
  steps: [
    ...[requestLog, duplicates, uniqueKey, fingerprint],
    ...[twoPhases, replay, scopeAndRetention, replayedDay],
  ],
  products: {
    1: { script: 'gen_requests', makes: ['idem.db'] },
    8: { script: 'replay_day', makes: ['day.db', 'result.json', 'idem_report.md'] },
  },
  messages: { ja, ko, zh },
  evidence,
  explain: async () => (await import('./explain/index.ts')).default,
  prepare: async () => undefined,
  open: (bench) => ({ bench }),
};

export default lab;
