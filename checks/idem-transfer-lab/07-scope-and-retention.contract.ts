import { setTimeout as sleep } from 'node:timers/promises';
import fc, { type Arbitrary } from 'fast-check';
import { clause, step } from '../../harness/contract.ts';
import { dict, type Value } from '../../harness/value.ts';
import { Bank } from './bank.ts';
import { type Context, commandCases } from './context.ts';
import { readJson } from './files.ts';
import { accounts, type Draft, drafts, idemKeys, requestOf } from './given.ts';
import { afterPurge, type Request } from './model.ts';
import { inProgress, notAgain, type Reply, replayOf } from './reply.ts';
import { AnyOrder, Count, HasMembers } from './terms.ts';

/** Each shares its client or its endpoint with another, and is smaller or greater by the other part. */
const crossed = [
  { client_id: 'client-1', endpoint: '/v1/transfers' },
  { client_id: 'client-2', endpoint: '/v1/transfers' },
  { client_id: 'client-1', endpoint: '/v2/transfers' },
];

/** They run into the first of those when client and endpoint are joined, or compared with less than care. */
const near = [
  { client_id: 'client-1/v1', endpoint: '/transfers' },
  { client_id: 'client-1:', endpoint: '/v1/transfers' },
  { client_id: 'client-1', endpoint: ':/v1/transfers' },
  { client_id: 'CLIENT-1', endpoint: '/v1/transfers' },
];
const most = crossed.length + near.length;

/** From the smaller to the greater or the other way round: what one does to those before it shows in them. */
const scopes = fc
  .tuple(fc.boolean(), fc.shuffledSubarray(near))
  .map(([reversed, others]) => (reversed ? [...others, ...crossed.toReversed()] : [...crossed, ...others]));

/** How an instant is written: at which offset, with how many digits of a fraction. */
interface Stamp {
  /** Minutes east of UTC; null is written Z. */
  readonly offset: number | null;
  readonly digits: number;
}

const stamps: Arbitrary<Stamp> = fc.record({
  offset: fc.oneof(
    { withCrossShrink: true },
    fc.constant(null),
    fc.constantFrom(0, 14 * 60, -12 * 60, 9 * 60, 5 * 60 + 45, -(3 * 60 + 30)),
    fc.integer({ min: -12 * 4, max: 14 * 4 }).map((quarters) => quarters * 15),
  ),
  digits: fc.constantFrom(0, 3, 6, 1),
});

/** The instant (milliseconds since the epoch) in RFC 3339; without digits it is cut to the second before. */
function stamp(instant: number, { offset, digits }: Stamp): string {
  const local = new Date(instant + (offset ?? 0) * 60_000).toISOString();
  const fraction = digits === 0 ? '' : `.${local.slice(20, 23).padEnd(6, '0').slice(0, digits)}`;
  return `${local.slice(0, 19)}${fraction}${offset === null ? 'Z' : zone(offset)}`;
}

function zone(offset: number): string {
  const minutes = Math.abs(offset);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** A cut-off is this far from the keys, in milliseconds: farther than any offset, or nearer than most. */
const farAhead = fc.constantFrom(30 * 60_000, 10 * 3_600_000, 400 * 86_400_000);

/** Milliseconds between an older key and a newer one, so that the cut-off has a whole second to each side. */
const gap = 2_100;
/** The cut-off's distance from the older key. */
const cutAfter = 1_050;

/** Keys of one case that is made old once, and cut in many ways: waiting is for all of them at the same time. */
const cuts = 5;

const policy = {
  scope: new AnyOrder(['client_id', 'endpoint', 'idem_key']),
  retention_hours: new Count(72),
  on_fingerprint_mismatch: new Count(422),
  on_in_flight: new Count(409),
};

/** Step 7: whose key it is, and how long it counts. */
export default step(7, 'scope and retention', {
  '7.1 a key counts per client and endpoint: the same text under another of them is another key': clause(
    {
      given: accounts(),
      key: idemKeys(),
      owners: scopes,
      /** What each of them asks for: the same, or each something else. */
      drafts: fc.oneof(
        drafts().map((draft) => new Array<Draft>(most).fill(draft)),
        fc.array(drafts(), { minLength: most, maxLength: most }),
      ),
      crash: fc.boolean(),
    },
    async ({ bench }: Context, { given, key, owners, drafts, crash }) => {
      const bank = new Bank(bench, given);
      const requests = owners.map((owner, index) =>
        requestOf({ ...(drafts[index] as Draft), key }, given, owner),
      );
      const [first, ...others] = requests as [Request, ...Request[]];
      const answers = new Map<Request, Reply>();
      if (crash) await bank.crash(first);
      answers.set(first, crash ? inProgress : replayOf(await bank.execute(first)));
      for (const request of others) answers.set(request, replayOf(await bank.execute(request)));
      for (const [request, answer] of answers) await bank.refuse(request, answer);
    },
    { ...commandCases, hint: 'all three belong to the key, each by itself' },
  ),

  '7.2 a purge with a cut-off far ahead takes every completed key, one far behind none, wherever it is written':
    clause(
      {
        given: accounts(),
        keys: fc.uniqueArray(drafts(), { minLength: 1, maxLength: 3, selector: ({ key }) => key }),
        away: farAhead,
        ahead: stamps,
        behind: stamps,
      },
      async ({ bench }: Context, { given, keys, away, ahead, behind }) => {
        const bank = new Bank(bench, given);
        const requests = keys.map((draft) => requestOf(draft, given));
        for (const request of requests) await bank.execute(request);
        await bank.purge(stamp(Date.now() - away, behind), 0);
        await bank.purge(stamp(Date.now() + away, ahead), requests.length);
        bank.model = afterPurge(bank.model, () => true);
        for (const request of requests) await bank.execute(request);
      },
      { ...commandCases, hint: 'instants are compared, not the texts that stand for them' },
    ),

  '7.3 between two keys a purge takes only the older one': clause(
    {
      given: accounts(),
      older: drafts(),
      newer: drafts(),
      stamps: fc.array(stamps, { minLength: cuts, maxLength: cuts }),
    },
    async ({ bench }: Context, { given, older, newer, stamps }) => {
      const old = requestOf({ ...older, key: `old ${older.key}` }, given);
      const young = requestOf({ ...newer, key: `new ${newer.key}` }, given);
      const banks = stamps.map(() => new Bank(bench, given));
      for (const bank of banks) await bank.execute(old);
      const made = Date.now();
      await sleep(gap);
      for (const bank of banks) await bank.execute(young);
      for (const [index, bank] of banks.entries()) {
        await bank.purge(stamp(made + cutAfter, { ...(stamps[index] as Stamp), digits: 3 }), 1);
        bank.model = afterPurge(bank.model, ({ body }) => body === old.body);
        await bank.refuse(young, notAgain);
        await bank.execute(old);
      }
    },
    { cases: 1, minimum: 1, hint: 'which of the two texts is the earlier instant?' },
  ),

  '7.4 policy.json states the scope, 72 hours, 422 and 409': clause(
    {},
    async ({ bench }: Context) => {
      const members: Record<string, Value> = policy;
      bench.look('policy.json', readJson(bench, 'policy.json'), new HasMembers(dict(members)));
    },
    { cases: 1, minimum: 1, hint: 'numbers are JSON numbers, the scope is a list of three names' },
  ),
});
