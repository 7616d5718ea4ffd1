import type { Lab } from '../../harness/contract.ts';
import initDb from './01-init-db.contract.ts';
import reserve from './02-reserve.contract.ts';
import finish from './03-finish.contract.ts';
import fetch from './04-fetch.contract.ts';
import expired from './05-expired.contract.ts';
import purge from './06-purge.contract.ts';
import counts from './07-counts.contract.ts';
import retentionCycle from './08-retention-cycle.contract.ts';
import { evidence } from './evidence.ts';
import { makeTemplate, type Template } from './keys.ts';
import { ja } from './messages/ja.ts';
import { ko } from './messages/ko.ts';
import { zh } from './messages/zh.ts';
import type { Context } from './sequence.ts';

/** Idempotency keys and how long their guarantee lasts. */
const lab: Lab<Context, Template> = {
  id: 'idem-retention-lab',
  title: 'Deleting an idempotency key ends its guarantee',
  kind: 'functions',
  entry: 'service',
  home: '/root/work/idem-retention-lab',
  budget: 45,
  steps: [initDb, reserve, finish, fetch, expired, purge, counts, retentionCycle],
  life: { table: 'keys', key: 'id', state: 'status', states: ['pending', 'done'] },
  messages: { ja, ko, zh },
  evidence,
  explain: async () => (await import('./explain/index.ts')).default,
  prepare: makeTemplate,
  open: (bench, template) => ({ bench, template }),
};

export default lab;
