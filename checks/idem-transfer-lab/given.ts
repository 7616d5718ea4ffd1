import fc, { type Arbitrary } from 'fast-check';
import type { Account, Body, Request } from './model.ts';

/* Who pays has far more than the amount: insufficient funds are not the contract's business. */

const ids = fc.constantFrom('A-1', 'A-2', 'A-10', 'B-1', 'a-1', 'K-77', '계좌-3');
const holders = fc.constantFrom('Kim', '박서준', "O'Neil", 'Lee; --', 'É');

/** What an account has that may pay. */
const rich = { min: 1_000_000, max: 2_000_000_000 };

const balances = fc.oneof(
  { withCrossShrink: true },
  { weight: 3, arbitrary: fc.integer(rich) },
  { weight: 2, arbitrary: fc.constantFrom(0, 1, 50) },
);

/** At least three accounts, so that a third one can be seen to stay as it is; the last of them can pay. */
export function accounts(): Arbitrary<Account[]> {
  const account = fc.record({ acct_id: ids, holder: holders, balance: balances });
  const drawn = fc.uniqueArray(account, { minLength: 3, maxLength: 5, selector: ({ acct_id }) => acct_id });
  return fc.tuple(drawn, fc.integer(rich)).map(([accounts, balance]) => {
    const last = accounts.at(-1) as Account;
    return [...accounts.slice(0, -1), { ...last, balance: Math.max(last.balance, balance) }];
  });
}

/** A request before it is known which accounts there are: `from` and `to` are counted among them. */
export interface Draft {
  readonly from: number;
  readonly to: number;
  readonly amount: number;
  readonly key: string;
}

/** Keys that a careless comparison takes for one another. */
const nearKeys = ['k-1', 'k-2', 'K-1', 'k-1 ', 'k-10', 'é', 'e\u0301', "k'1", '%', '0', '00'];

export function idemKeys(): Arbitrary<string> {
  return fc.oneof({ withCrossShrink: true }, fc.constantFrom(...nearKeys), fc.uuid());
}

export function drafts(key = idemKeys()): Arbitrary<Draft> {
  return fc.record({
    from: fc.nat(4),
    to: fc.nat(3),
    amount: fc.oneof(
      { withCrossShrink: true },
      fc.constantFrom(1, 10, 100, 999),
      fc.integer({ min: 1, max: 10_000 }),
    ),
    key,
  });
}

/** One client and one endpoint: the wider scope is asked for from step 7 on. */
export const oneScope = { client_id: 'client-1', endpoint: '/v1/transfers' };

/** The request of a draft, between two different accounts. */
export function requestOf(draft: Draft, accounts: readonly Account[], scope = oneScope): Request {
  return { ...scope, idem_key: draft.key, body: bodyOf(draft, accounts) };
}

export function bodyOf({ from, to, amount }: Draft, accounts: readonly Account[]): Body {
  const payers = [...accounts.keys()].filter((index) => (accounts[index]?.balance ?? 0) >= rich.min);
  const source = payers[from % payers.length] ?? 0;
  const target = (source + 1 + (to % (accounts.length - 1))) % accounts.length;
  const id = (index: number) => accounts[index]?.acct_id ?? '';
  return { src: id(source), dst: id(target), amount, currency: 'KRW' };
}

/** How a request is written down: members in another order, other blanks, other escapes. */
export interface Spelling {
  readonly rotate: number;
  readonly reverse: boolean;
  readonly space: string;
  readonly escapes: 'none' | 'ascii' | 'all';
}

export const plainSpelling: Spelling = { rotate: 0, reverse: false, space: '', escapes: 'none' };

export function spellings(): Arbitrary<Spelling> {
  return fc.record({
    rotate: fc.nat(3),
    reverse: fc.boolean(),
    space: fc.constantFrom('', ' ', '\n  ', '\t'),
    escapes: fc.constantFrom('none', 'ascii', 'all'),
  });
}

/** JSON text of the request in that spelling: the same value, other characters. */
export function spell(value: object, spelling: Spelling): string {
  const members = Object.entries(value);
  const turn = spelling.rotate % Math.max(members.length, 1);
  const turned = [...members.slice(turn), ...members.slice(0, turn)];
  const ordered = spelling.reverse ? turned.reverse() : turned;
  const { space } = spelling;
  const texts = ordered.map(([name, member]) => {
    const text =
      typeof member === 'object' && member !== null ? spell(member, spelling) : scalar(member, spelling);
    return `${scalar(name, spelling)}${space && ' '}:${space}${text}`;
  });
  return `{${space}${texts.join(`,${space}`)}${space}}`;
}

function scalar(value: unknown, { escapes }: Spelling): string {
  const json = JSON.stringify(value);
  if (typeof value !== 'string' || escapes === 'none') return json;
  const escaped = (text: string) => `\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}`;
  if (escapes === 'all')
    return `"${[...Array(value.length).keys()].map((at) => escaped(value.charAt(at))).join('')}"`;
  return json.replace(/[\u0080-\uffff/]/g, (unit) => (unit === '/' ? '\\/' : escaped(unit)));
}
