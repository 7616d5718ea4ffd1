import fc from 'fast-check';
import { clause, step } from '../../harness/contract.ts';
import { Bank } from './bank.ts';
import { type Context, commandCases } from './context.ts';
import { accounts, bodyOf, drafts, requestOf, spellings } from './given.ts';
import { type Body, sameBody } from './model.ts';
import { notAgain, otherBody } from './reply.ts';

/** Bodies that differ from this one in one member, by as little as can be. */
function nearBodies({ src, dst, amount, currency }: Body, other: Body): Body[] {
  const bodies = [
    { src, dst, amount: amount + 1, currency },
    { src, dst, amount: amount * 10, currency },
    { src: dst, dst: src, amount, currency },
    other,
  ];
  return bodies.filter((body) => !sameBody(body, { src, dst, amount, currency }));
}

/** Step 4: the fingerprint tells whether a request is the one that the key was used for. */
export default step(4, 'the fingerprint', {
  '4.1 the same key with another body is answered 422, and nothing moves': clause(
    { given: accounts(), first: drafts(), other: drafts(), which: fc.nat(3) },
    async ({ bench }: Context, { given, first, other, which }) => {
      const bank = new Bank(bench, given);
      const request = requestOf(first, given);
      await bank.execute(request);
      const bodies = nearBodies(request.body, bodyOf(other, given));
      await bank.refuse({ ...request, body: bodies[which % bodies.length] ?? request.body }, otherBody);
      await bank.refuse(request, notAgain);
    },
    { ...commandCases, hint: 'what of the body does the fingerprint cover?' },
  ),

  '4.2 the same body in other words is the same request: order, white space and escapes do not count': clause(
    {
      given: accounts(),
      draft: drafts(),
      first: spellings(),
      again: fc.array(spellings(), { minLength: 1, maxLength: 3 }),
    },
    async ({ bench }: Context, { given, draft, first, again }) => {
      const bank = new Bank(bench, given);
      const request = requestOf(draft, given);
      await bank.execute(request, first);
      for (const spelling of again) await bank.refuse(request, notAgain, spelling);
    },
    { ...commandCases, hint: 'a fingerprint of the text is one of its spelling, too' },
  ),
});
