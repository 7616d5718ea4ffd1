import { clause, step } from '../../harness/contract.ts';
import { seen, Through } from '../../harness/expectation.ts';
import { dict, same, Tuple, type Value } from '../../harness/value.ts';
import { keys as ids } from './given.ts';
import { expectEffect, Keys } from './keys.ts';
import { retentionCycle } from './model.ts';
import { type Context, sequenceClause } from './sequence.ts';

/** Triggers that write down each state a row takes, in a table of the grader's own. */
const recordStates = [
  'CREATE TABLE grader_states(n INTEGER PRIMARY KEY, id TEXT, fingerprint TEXT, status TEXT, response TEXT, expires REAL)',
  ...['INSERT', 'UPDATE'].map(
    (event) => `CREATE TRIGGER grader_${event} AFTER ${event} ON keys BEGIN
  INSERT INTO grader_states(id, fingerprint, status, response, expires)
  VALUES (NEW.id, NEW.fingerprint, NEW.status, NEW.response, NEW.expires); END`,
  ),
  `CREATE TRIGGER grader_DELETE AFTER DELETE ON keys BEGIN
  INSERT INTO grader_states(id, status) VALUES (OLD.id, 'absent'); END`,
];

const recorded = 'SELECT id, fingerprint, status, response, expires FROM grader_states ORDER BY n';

/** Step 8: retention_cycle shows that a key is a new request once its record is gone. */
export default step(8, 'retention_cycle', {
  '8.1 on an empty table the second reservation succeeds: the answer is True, and its row is there': clause(
    { key: ids() },
    async ({ bench, template }: Context, { key }) => {
      const keys = Keys.holding(bench, template, new Map());
      await expectEffect(keys, keys.call('retention_cycle', [key]), retentionCycle(key));
    },
    { hint: 'at which instant does a key that expires at 10 go?' },
  ),

  '8.2 the key is reserved as v1, finished with {receipt: 1}, purged and reserved as v2': clause(
    { key: ids() },
    async ({ bench, template }: Context, { key }) => {
      const keys = Keys.after(bench, template, recordStates);
      const outcome = await keys.call('retention_cycle', [key]);
      const states: Value[] = [
        new Tuple([key, 'v1', 'pending', null, 10.0]),
        new Tuple([key, 'v1', 'done', keys.stored(keys.fit(dict({ receipt: 1n }))), 10.0]),
        new Tuple([key, null, 'absent', null, null]),
        new Tuple([key, 'v2', 'pending', null, 20.0]),
      ];
      // The triggers change what total_changes counts: a cycle that they put off its way proves nothing.
      if (same(seen(outcome), true)) keys.expectQuery(recorded, new Through(states));
    },
    { hint: 'the cycle is lived through, not only its last state' },
  ),

  '8.3 in any sequence of calls, a cycle among them, all functions do as the model says': sequenceClause(8),
});
