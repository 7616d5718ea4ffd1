import type { Signs } from '../../../harness/evidence.ts';
import { OneOf, Through } from '../../../harness/expectation.ts';
import { isDict, isList, same, type Value } from '../../../harness/value.ts';
import { AnyOrder, Count, HasMembers } from '../terms.ts';
import { differenceOf, type Look } from './account.ts';

/* Signs in the files that the submission left. */

export const fileSigns: Signs<Look> = {
  generatedNothing: ({ what, seen }) => what.includes('rows of') && seen === 0n,
  retriesNotLogged: ({ what, seen }) => what.endsWith('rows of req_log') && seen === 100n,
  retriesWithNewKeys: ({ what, seen }) => what.includes('different idem_key') && seen === 120n,
  v1OncePerKey: ({ what, seen }) => what.endsWith('rows of transfer_v1') && seen === 100n,
  v1OtherAmount: (look) => {
    const { missing, extra } = movesOff(look, 'transfer_v1');
    const withoutAmount = (moves: readonly string[]) =>
      moves.map((move) => move.replace(/"\d+",/, '')).sort();
    return missing.length > 0 && same(withoutAmount(missing), withoutAmount(extra));
  },
  memberMissing: (look) => wrong(look).some(({ value }) => value === undefined),
  numberAsText: (look) =>
    wrong(look).some(({ value, due }) => typeof value === 'string' && value === String(due)),
  policyUnit: (look) => {
    const hours = Number(wrong(look).find(({ name }) => name === 'retention_hours')?.value);
    return [3, 72 * 24, 72 * 60, 72 * 3600].includes(hours);
  },
  policyScope: (look) => {
    const scope = wrong(look).find(({ name }) => name === 'scope');
    return scope !== undefined && leavesOut(scope);
  },
  firstCountedExtra: (look) =>
    number(look, 'extra_transfers') === due(look, 'extra_transfers') + due(look, 'duplicate_keys'),
  uniqueMeansOnce: (look) =>
    number(look, 'unique_keys') === due(look, 'unique_keys') - due(look, 'duplicate_keys'),
  retriesForKeys: (look) =>
    wrong(look).some(({ name }) => name === 'duplicate_keys') &&
    number(look, 'duplicate_keys') === due(look, 'extra_transfers'),
  keysLeftOut: (look) => {
    const keys = wrong(look).find(({ name }) => name === 'keys');
    return keys !== undefined && leavesOut(keys);
  },
  doublePaidTooMuch: (look) =>
    wrong(look).every(({ name }) => name === 'double_paid') &&
    number(look, 'double_paid') > due(look, 'double_paid'),
  dayBookedTwice: (look) => {
    const { missing, extra } = movesOff(look, 'transfer');
    return missing.length === 0 && extra.length > 0;
  },
  dayLeftOut: (look) => {
    const { missing, extra } = movesOff(look, 'transfer');
    return missing.length > 0 && extra.length === 0;
  },
  dayOtherRequest: (look) => {
    const { missing, extra } = movesOff(look, 'transfer');
    return missing.length > 0 && missing.length === extra.length;
  },
  requestsLeftOut: (look) => number(look, 'requests') < due(look, 'requests'),
  rejectedAsReplayed: (look) =>
    number(look, 'rejected') === 0 &&
    due(look, 'rejected') > 0 &&
    number(look, 'replayed') === due(look, 'replayed') + due(look, 'rejected'),
  replayedAsCreated: (look) =>
    due(look, 'replayed') > 0 && number(look, 'created') === due(look, 'created') + due(look, 'replayed'),
  numbersDoNotAdd: (look) => {
    const sum = number(look, 'created') + number(look, 'replayed') + number(look, 'rejected');
    return look.what === 'result.json' && sum !== number(look, 'requests');
  },
  countForAmount: (look) =>
    wrong(look).some(({ name }) => name === 'double_paid_avoided') &&
    number(look, 'double_paid_avoided') === number(look, 'requests') - number(look, 'created'),
  sectionOrder: (look) => headingsOf(look)?.missing.length === 0,
  headingOther: (look) => {
    const { missing = [], others = [] } = headingsOf(look) ?? {};
    return missing.length > 0 && others.length > 0;
  },
  headingMissing: (look) => (headingsOf(look)?.missing.length ?? 0) > 0,
  amountNotNamed: ({ what, seen }) => what.endsWith('the amount avoided') && seen === null,
};

interface Member {
  readonly name: string;
  readonly value: Value | undefined;
  readonly due: number | undefined;
  readonly term: Value;
}

/** The members that a JSON file had to have, by the first of several ways to count them. */
function members({ seen, expected }: Look): readonly Member[] {
  const term = expected instanceof OneOf ? expected.options[0] : expected;
  if (!(term instanceof HasMembers) || !isDict(seen)) return [];
  return [...term.members].map(([name, term]) => {
    const due = term instanceof Count ? Number(term.value) : undefined;
    return { name: String(name), value: seen.get(name), due, term };
  });
}

function wrong(look: Look): readonly Member[] {
  return members(look).filter(({ value, term }) => value === undefined || !same(value, term));
}

/** Not a number where there is none. */
function number(look: Look, name: string): number {
  const value = members(look).find((member) => member.name === name)?.value;
  return typeof value === 'bigint' || typeof value === 'number' ? Number(value) : Number.NaN;
}

function due(look: Look, name: string): number {
  return members(look).find((member) => member.name === name)?.due ?? Number.NaN;
}

/** Whether a list has nothing but what it had to, and not all of it. */
function leavesOut({ value, term }: Member): boolean {
  if (!(term instanceof AnyOrder) || value === undefined || !isList(value)) return false;
  return (
    value.length < term.items.length && value.every((item) => term.items.some((other) => same(item, other)))
  );
}

/** What a table of transfers has too few and too many of; nothing of other tables. */
function movesOff({ what, seen, expected }: Look, table: string): ReturnType<typeof differenceOf> {
  if (!what.endsWith(` of ${table}`) || !isList(seen) || !isList(expected)) return { missing: [], extra: [] };
  return differenceOf(seen.map(String), expected.map(String));
}

/** The headings that are not found in the report, and those that nobody asked for. */
function headingsOf({
  seen,
  expected,
}: Look): { missing: readonly Value[]; others: readonly Value[] } | undefined {
  if (!(expected instanceof Through) || !isList(seen)) return undefined;
  const has = (list: readonly Value[], heading: Value) => list.some((other) => same(other, heading));
  return {
    missing: expected.items.filter((heading) => !has(seen, heading)),
    others: seen.filter((heading) => !has(expected.items, heading)),
  };
}
