import fc from 'fast-check';
import { clause, expectSame, step } from '../../harness/contract.ts';
import { seen } from '../../harness/expectation.ts';
import type { Outcome } from '../../harness/subject/subject.ts';
import { Bank } from './bank.ts';
import { type Context, commandCases } from './context.ts';
import { accounts, drafts, requestOf } from './given.ts';
import { after } from './model.ts';
import { executed, inProgress, Not, notAgain } from './reply.ts';

/** Step 5: a key is claimed first and completed later, and both can be seen. */
export default step(5, 'two phases', {
  '5.1 a crash after the claim moves nothing, and a retry is answered 409 in_progress': clause(
    { given: accounts(), crashed: drafts(), other: drafts(), again: fc.integer({ min: 1, max: 2 }) },
    async ({ bench }: Context, { given, crashed, other, again }) => {
      const bank = new Bank(bench, given);
      const request = requestOf(crashed, given);
      await bank.crash(request);
      for (let n = 0; n < again; n++) await bank.refuse(request, inProgress);
      if (other.key !== crashed.key) await bank.execute(requestOf(other, given));
      await bank.refuse(request, inProgress);
    },
    { ...commandCases, hint: 'what stands in the key table while the work is under way?' },
  ),

  '5.2 of two requests with one key at the same moment exactly one is executed': clause(
    {
      given: accounts(),
      draft: drafts(),
      rounds: fc.integer({ min: 1, max: 3 }),
      patience: fc.constantFrom(0, 0, 1),
    },
    async ({ bench }: Context, { given, draft, rounds, patience }) => {
      const bank = new Bank(bench, given);
      // Tables are made, and the journal's mode is set, before anything happens at the same time.
      await bank.execute(requestOf({ ...draft, key: `${draft.key}/first` }, given));
      for (let round = 0; round < rounds; round++) {
        const request = requestOf({ ...draft, key: `${draft.key}/${round}` }, given);
        const outcomes = await bank.sendTogether([request, request], patience);
        const [winner, loser] = [...outcomes].sort((a, b) => Number(wasExecuted(b)) - Number(wasExecuted(a)));
        if (winner) expectSame(winner, executed);
        if (loser) expectSame(loser, notAgain);
        bank.model = after(bank.model, request);
        bank.expectMoney();
        await bank.refuse(request, notAgain);
      }
    },
    { cases: 10, minimum: 1, hint: 'a look now and an insert later leave a gap for the other process' },
  ),

  '5.3 money that cannot leave one account, or cannot arrive at the other, does not move at all': clause(
    {
      given: accounts(),
      before: drafts(),
      draft: drafts(),
      stuck: fc.constantFrom<'src' | 'dst'>('dst', 'src'),
    },
    async ({ bench }: Context, { given, before, draft, stuck }) => {
      const bank = new Bank(bench, given);
      await bank.execute(requestOf({ ...before, key: `${before.key}/first` }, given)); // the tables are made
      const request = requestOf(draft, given);
      bank.keepBalanceOf(request.body[stuck]);
      const outcome = await bank.send(request);
      bank.expectMoney();
      expectSame(outcome, new Not(executed));
      bank.letBalancesMove();
      await bank.execute(requestOf({ ...before, key: `${before.key}/last` }, given));
    },
    { ...commandCases, cases: 10, hint: 'debit, credit and the row in transfer are one transaction' },
  ),
});

function wasExecuted(outcome: Outcome): boolean {
  return executed.meets(seen(outcome));
}
