import fc from 'fast-check';
import { clause, expectSame, step } from '../../harness/contract.ts';
import { Bank } from './bank.ts';
import { type Context, commandCases } from './context.ts';
import { accounts, drafts, idemKeys, requestOf } from './given.ts';
import { Exit, notAgain } from './reply.ts';

/** Texts that are no JSON. */
const noJson = fc.constantFrom(
  '',
  '{',
  'amount=100',
  '{"client_id": "client-1",}',
  "{'a': 1}",
  '[1, 2',
  'nul',
);

/** Step 3: the key's uniqueness keeps a second request from moving money. */
export default step(3, 'the unique key', {
  '3.1 a request with a new key is executed, even with a body that was sent before': clause(
    { given: accounts(), draft: drafts(), keys: fc.uniqueArray(idemKeys(), { minLength: 1, maxLength: 4 }) },
    async ({ bench }: Context, { given, draft, keys }) => {
      const bank = new Bank(bench, given);
      for (const key of keys) await bank.execute(requestOf({ ...draft, key }, given));
    },
    { ...commandCases, hint: 'the key alone decides, not the body' },
  ),

  '3.2 a second request with the key moves nothing, and says replay true or 409': clause(
    { given: accounts(), first: drafts(), other: drafts(), again: fc.integer({ min: 1, max: 3 }) },
    async ({ bench }: Context, { given, first, other, again }) => {
      const bank = new Bank(bench, given);
      const request = requestOf(first, given);
      await bank.execute(request);
      await bank.refuse(request, notAgain);
      if (other.key !== first.key) await bank.execute(requestOf(other, given));
      for (let n = 0; n < again; n++) await bank.refuse(request, notAgain);
    },
    { ...commandCases, hint: 'let the database refuse the second key' },
  ),

  '3.3 a request file that cannot be read or parsed ends with exit code 3, and moves nothing': clause(
    { given: accounts(), draft: drafts(), text: noJson },
    async ({ bench }: Context, { given, draft, text }) => {
      const bank = new Bank(bench, given);
      await bank.execute(requestOf(draft, given));
      expectSame(await bank.sendText(text), new Exit(3n));
      expectSame(await bank.sendNothing(), new Exit(3n));
      bank.expectMoney();
    },
    { cases: 8, minimum: 2, hint: 'what is read comes from outside' },
  ),
});
