import fc, { type Arbitrary } from 'fast-check';
import type { Bench } from '../../harness/bench.ts';
import { clause, expectSame } from '../../harness/contract.ts';
import type { Value } from '../../harness/value.ts';
import { badLimits, digests, fewKeys, instants, responses, rows, tables } from './given.ts';
import { type Change, changed, Keys, type Template } from './keys.ts';
import type { Effect, Instant, Row, Rows } from './model.ts';
import * as model from './model.ts';

/** What the clauses of this lab work with. */
export interface Context {
  readonly bench: Bench;
  readonly template: Template;
}

/** One step of a sequence: a call of the submission, or a change that another connection makes. */
type Action =
  | { readonly name: 'init_db' | 'counts' }
  | { readonly name: 'reserve'; readonly key: string; readonly digest: string; readonly expires: Instant }
  | { readonly name: 'finish'; readonly key: string; readonly digest: string; readonly response: Value }
  | { readonly name: 'fetch'; readonly key: string; readonly now: Instant }
  | { readonly name: 'expired' | 'purge'; readonly now: Instant; readonly limit: Value | undefined }
  | { readonly name: 'retention_cycle'; readonly key: string }
  | { readonly name: 'change'; readonly change: Change };

type Name = Action['name'];

const fewDigests = fc.constantFrom('f', 'g', 'F');
const someLimits = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom<Value | undefined>(undefined, 1n, 2n, 100n) },
  { weight: 1, arbitrary: badLimits() },
);
const fewRows = () => rows(fewKeys());

const actions: { readonly [N in Name]: Arbitrary<Action> } = {
  init_db: fc.constant({ name: 'init_db' }),
  reserve: fc.record({
    name: fc.constant('reserve'),
    key: fewKeys(),
    digest: fc.oneof(fewDigests, digests()),
    expires: instants(),
  }),
  finish: fc.record({
    name: fc.constant('finish'),
    key: fewKeys(),
    digest: fewDigests,
    response: responses(),
  }),
  fetch: fc.record({ name: fc.constant('fetch'), key: fewKeys(), now: instants() }),
  expired: fc.record({ name: fc.constant('expired'), now: instants(), limit: someLimits }),
  purge: fc.record({ name: fc.constant('purge'), now: instants(), limit: someLimits }),
  counts: fc.constant({ name: 'counts' }),
  retention_cycle: fc.record({ name: fc.constant('retention_cycle'), key: fewKeys() }),
  change: fc.record({
    name: fc.constant('change'),
    change: fc.oneof(fc.record({ put: fewRows() }), fc.record({ remove: fewKeys() })),
  }),
};

/** Weights by which an action is drawn: those that move a key along its life more often. */
const weights: { readonly [N in Name]: number } = {
  ...{
    init_db: 1,
    reserve: 4,
    finish: 4,
    fetch: 3,
    expired: 2,
    purge: 3,
    counts: 1,
    retention_cycle: 4,
    change: 2,
  },
};

/** The weight of the step's own function, which the others are there to serve. */
const ownWeight = 8;

/** The functions in the order of their steps. */
const functions: Name[] = [
  'init_db',
  'reserve',
  'finish',
  'fetch',
  'expired',
  'purge',
  'counts',
  'retention_cycle',
];

/**
 * All functions so far, called in any order, from two processes, on two databases that one process serves in turn,
 * while other connections change rows. The model is compared after every call.
 */
export function sequenceClause(step: number) {
  const names: Name[] = [...functions.slice(0, step), 'change'];
  const weightOf = (name: Name) => (name === functions[step - 1] ? ownWeight : weights[name]);
  const action = fc.oneof(...names.map((name) => ({ weight: weightOf(name), arbitrary: actions[name] })));
  const where = { database: fc.constantFrom<0 | 1>(0, 0, 0, 1), process: fc.constantFrom<0 | 1>(0, 0, 1) };
  const someRows = fc.oneof(fc.constant<Row[]>([]), { weight: 2, arbitrary: tables(3, fewRows(), 1) });
  return clause(
    {
      given: someRows,
      actions: fc.array(fc.record({ ...where, action }), { minLength: 1, maxLength: 5 }),
    },
    async ({ bench, template }: Context, drawn) => {
      const databases: ({ keys: Keys; rows: Rows } | undefined)[] = [undefined, undefined];
      for (const { database, process, action } of drawn.actions) {
        const opened = databases[database] ?? open(bench, template, drawn.given);
        const { keys } = opened;
        const after = await perform(keys, opened.rows, action, process);
        keys.expectRows(after);
        databases[database] = { keys, rows: after };
      }
      const other = databases[drawn.actions.at(-1)?.database === 0 ? 1 : 0];
      other?.keys.expectRows(other.rows); // the last one was looked at
    },
    { hint: 'the functions work one by one; look at what one of them leaves behind for the next' },
  );
}

function open(bench: Bench, template: Template, given: readonly Row[]): { keys: Keys; rows: Rows } {
  const rows = model.rowsOf(given);
  return { keys: Keys.holding(bench, template, rows), rows };
}

/** Does it to the submission and to the model; returns the model's rows. */
async function perform(keys: Keys, rows: Rows, action: Action, process: number): Promise<Rows> {
  const call = async (args: readonly (Value | undefined)[], effect: Effect) => {
    expectSame(await keys.call(action.name, args, process), effect.result);
    return effect.rows;
  };
  switch (action.name) {
    case 'init_db': {
      await keys.initialise(process);
      return rows;
    }
    case 'reserve': {
      const { key, digest, expires } = action;
      return call([key, digest, expires], model.reserve(rows, key, digest, expires));
    }
    case 'finish': {
      const { key, digest } = action;
      const response = keys.fit(action.response);
      return call([key, digest, response], model.finish(rows, key, digest, response, keys.stored(response)));
    }
    case 'fetch': {
      const { key, now } = action;
      return call([key, now], { result: keys.fit(model.fetch(rows, key, now)), rows });
    }
    case 'expired': {
      const { now } = action;
      const limit = action.limit === undefined ? undefined : keys.fit(action.limit);
      return call([now, limit], { result: model.expired(rows, now, limit), rows });
    }
    case 'purge': {
      const { now } = action;
      const limit = action.limit === undefined ? undefined : keys.fit(action.limit);
      return call([now, limit], model.purge(rows, now, limit));
    }
    case 'counts':
      return call([], { result: model.counts(rows), rows });
    case 'retention_cycle': // asked for on an empty table only
      return rows.size > 0 ? rows : call([action.key], model.retentionCycle(action.key));
    case 'change':
      keys.change(action.change);
      return changed(rows, action.change);
  }
}
