import { Mismatch } from './contract.ts';
import { Thrown } from './expectation.ts';
import type { KeyOf } from './messages/texts.ts';
import type { FailedCase } from './report/narrate.ts';
import { isDict, isList, Opaque, Tuple, type Value } from './value.ts';

/** What is said of a cause, in the part `hints` of the catalogues. */
export type HintKey = KeyOf<'hints'>;

/** A sign of one cause. */
export interface Evidence {
  readonly hint: HintKey;
  /** Whether what this cause makes of the case is what was seen of it, to the letter. */
  readonly shows: (failed: FailedCase) => boolean;
  /** Causes that this one stands for where a case cannot tell them apart, and a larger one may. */
  readonly covers?: readonly HintKey[] | undefined;
}

export type Signs<Account> = { readonly [Hint in HintKey]?: (account: Account) => boolean };

/** Reads each case once, however many signs are looked for in it. */
export function readOnce<Account>(
  read: (failed: FailedCase) => Account | undefined,
): (failed: FailedCase) => Account | undefined {
  const known = new WeakMap<FailedCase, { readonly account: Account | undefined }>();
  return (failed) => {
    const found = known.get(failed) ?? { account: read(failed) };
    known.set(failed, found);
    return found.account;
  };
}

/** Signs that are found in what can be read of a case, in their order. Of what cannot be read they say nothing. */
export function signsIn<Account>(
  read: (failed: FailedCase) => Account | undefined,
  signs: Signs<Account>,
  covers: Partial<Record<HintKey, readonly HintKey[]>> = {},
): Evidence[] {
  return (Object.keys(signs) as HintKey[]).map((hint) => ({
    hint,
    covers: covers[hint],
    shows: (failed) => {
      const account = read(failed);
      return account !== undefined && signs[hint]?.(account) === true;
    },
  }));
}

/**
 * The first cause that the case shows, or null: so, too, where a call gave no outcome, of which its kind says all there
 * is. What the smallest case cannot tell the one that failed first may. Never throws: a hint is not worth a verdict.
 */
export function causeOf(
  failed: FailedCase,
  first: FailedCase,
  evidence: readonly Evidence[] = [],
): HintKey | null {
  try {
    const found = signOf(failed, evidence);
    const other = found?.covers && signOf(first, evidence)?.hint;
    return (other && found.covers?.includes(other) ? other : found?.hint) ?? null;
  } catch {
    return null; // values are the submission's, and can be anything
  }
}

function signOf(failed: FailedCase, evidence: readonly Evidence[]): Evidence | undefined {
  return failed.reason instanceof Mismatch ? evidence.find(({ shows }) => shows(failed)) : undefined;
}

/** Whether both are one value but for types: 1, 1.0, True and '1'; a tuple and a list. */
export function sameButForTypes(a: Value, b: Value): boolean {
  const [first, second] = [itemsOf(a), itemsOf(b)];
  if (first && second)
    return (
      first.length === second.length && first.every((item, i) => sameButForTypes(item, second[i] ?? null))
    );
  if (isDict(a) && isDict(b))
    return (
      a.size === b.size &&
      [...a].every(([name, item]) => b.has(name) && sameButForTypes(item, b.get(name) ?? null))
    );
  const [x, y] = [scalarOf(a), scalarOf(b)];
  return x !== undefined && x === y;
}

function itemsOf(value: Value): readonly Value[] | undefined {
  if (value instanceof Tuple) return value.items;
  return isList(value) ? value : undefined;
}

function scalarOf(value: Value): string | undefined {
  if (typeof value === 'boolean') return String(Number(value));
  return ['bigint', 'number', 'string'].includes(typeof value) ? String(value) : undefined;
}

/** Whether a transaction was open on the submission's own connection where none had to be. */
export function foundInTransaction({ reason }: FailedCase): boolean {
  const seen = reason instanceof Mismatch ? reason.seen : null;
  return seen instanceof Thrown && seen.chain.some(({ message }) => message.includes('within a transaction'));
}

/** Whether the database was locked where nobody but the submission can have left a lock. */
export function foundLocked({ reason }: FailedCase): boolean {
  if (!(reason instanceof Mismatch) || reason.rowsBy !== undefined) return false;
  const { seen } = reason;
  return seen instanceof Opaque
    ? /^SQLITE_(BUSY|LOCKED)/.test(seen.type)
    : seen instanceof Thrown && seen.gaveUp;
}
