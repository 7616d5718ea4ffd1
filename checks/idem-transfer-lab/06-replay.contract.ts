import fc from 'fast-check';
import { clause, step } from '../../harness/contract.ts';
import { Bank } from './bank.ts';
import { type Context, commandCases } from './context.ts';
import { accounts, drafts, idemKeys, requestOf, spellings } from './given.ts';
import { scope, verdict } from './model.ts';
import { inProgress, otherBody, type Response, replayOf } from './reply.ts';

const fewKeys = fc.constantFrom('k-1', 'k-2', 'K-1');

/** Step 6: a completed key answers what it answered first. */
export default step(6, 'the stored response', {
  '6.1 a retry gets the first status, replay true and the body as first sent, whatever happened in between':
    clause(
      {
        given: accounts(),
        first: drafts(),
        others: fc.array(drafts(idemKeys().map((key) => `other ${key}`)), { maxLength: 2 }),
        deposit: fc.integer({ min: 1, max: 1_000_000 }),
        spelling: spellings(),
      },
      async ({ bench }: Context, { given, first, others, deposit, spelling }) => {
        const bank = new Bank(bench, given);
        const request = requestOf(first, given);
        const response = await bank.execute(request);
        await bank.refuse(request, replayOf(response));
        for (const { key, ...other } of uniqueByKey(others))
          await bank.execute(requestOf({ ...other, key }, given));
        bank.deposit(request.body.src, deposit);
        await bank.refuse(request, replayOf(response), spelling);
      },
      { ...commandCases, hint: 'a response that is worked out again is another response' },
    ),

  '6.2 in any sequence of requests, retries, changed bodies and crashes each is answered as the key says':
    clause(
      {
        given: accounts(),
        actions: fc.array(
          fc.record({ draft: drafts(fewKeys), crash: fc.constantFrom(false, false, false, true) }),
          {
            minLength: 2,
            maxLength: 6,
          },
        ),
      },
      async ({ bench }: Context, { given, actions }) => {
        const bank = new Bank(bench, given);
        const first = new Map<string, Response>();
        for (const { draft, crash } of actions) {
          // A key's later drafts ask for the first one's transfer half of the time.
          const known = bank.model.keys.get(scope(requestOf(draft, given)));
          const drawn = requestOf(draft, given);
          const request = known && draft.from % 2 === 0 ? { ...drawn, body: known.body } : drawn;
          if (crash) {
            if (!known) await bank.crash(request);
            continue;
          }
          const response = first.get(scope(request));
          switch (verdict(bank.model, request)) {
            case 'execute':
              first.set(scope(request), await bank.execute(request));
              break;
            case 'replay':
              if (response) await bank.refuse(request, replayOf(response));
              break;
            case 'other body':
              await bank.refuse(request, otherBody);
              break;
            case 'in progress': // with another body, which of the two answers it is, is open
              if (known?.body === request.body) await bank.refuse(request, inProgress);
              break;
          }
        }
      },
      { ...commandCases, hint: 'the requests work one by one; look at what one of them leaves for the next' },
    ),
});

function uniqueByKey<D extends { readonly key: string }>(drafts: readonly D[]): D[] {
  return [...new Map(drafts.map((draft) => [draft.key, draft])).values()];
}
