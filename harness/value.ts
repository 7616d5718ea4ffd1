import type { Texts } from './messages/texts.ts';

/**
 * Values as a submission sees them, kept apart by JavaScript's own types.
 *
 * | submission            | here          |
 * | --------------------- | ------------- |
 * | None, null, undefined | `null`        |
 * | True, true            | `boolean`     |
 * | int                   | `bigint`      |
 * | float                 | `number`      |
 * | str                   | `string`      |
 * | list, array           | `Value[]`     |
 * | tuple                 | {@link Tuple} |
 * | dict, plain object    | `Map`         |
 * | anything else         | {@link Opaque} |
 *
 * What is expected, and what is shown of it, may also be a {@link Special}.
 */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | readonly Value[]
  | Tuple
  | Dict
  | Opaque
  | Special;

export type Dict = ReadonlyMap<Value, Value>;

/** A Python tuple, which is not a list. */
export class Tuple {
  readonly items: readonly Value[];
  constructor(items: readonly Value[]) {
    this.items = items;
  }
}

/** A value that no contract asks for: its type's name and its printed form, both cut by the host. */
export class Opaque {
  readonly type: string;
  readonly text: string;
  constructor(type: string, text: string) {
    this.type = type;
    this.text = text;
  }
}

/** A stand-in for values that are told by a property they have. */
export abstract class Special {
  /** Whether what was seen is what this stands for. */
  abstract meets(seen: Value): boolean;
  /**
   * The term as source text, whose names reproducers define, or in words of the texts; `show` prints the values in it.
   */
  abstract source(show: (value: Value) => string, texts: Texts): string;
}

export function isDict(value: Value): value is Dict {
  return value instanceof Map;
}

export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

/** A dict from a plain object. */
export function dict(members: Readonly<Record<string, Value>>): Dict {
  return new Map(Object.entries(members));
}

/** Whether what was seen is what was expected: types count, the order of a dict's members does not. */
export function same(seen: Value, expected: Value): boolean {
  if (seen === expected) return true;
  if (expected instanceof Special) return expected.meets(seen);
  if (isList(seen)) return isList(expected) && sameItems(seen, expected);
  if (seen instanceof Tuple) return expected instanceof Tuple && sameItems(seen.items, expected.items);
  if (isDict(seen)) {
    return (
      isDict(expected) &&
      seen.size === expected.size &&
      [...seen].every(([k, v]) => expected.has(k) && same(v, expected.get(k) ?? null))
    );
  }
  return false;
}

function sameItems(seen: readonly Value[], expected: readonly Value[]): boolean {
  return seen.length === expected.length && seen.every((item, i) => same(item, expected[i] ?? null));
}

/**
 * The same value in a language that has one type of number (JavaScript): whole numbers up to 2^53 are
 * `bigint` here, all others `number`, so that 1 and 1.0 are one value.
 */
export function withOneNumberType(value: Value): Value {
  if (typeof value === 'bigint') return isSafe(Number(value)) ? value : Number(value);
  if (typeof value === 'number') return isSafe(value) ? BigInt(value) : value;
  if (isList(value)) return value.map(withOneNumberType);
  if (value instanceof Tuple) return new Tuple(value.items.map(withOneNumberType));
  if (isDict(value)) return new Map([...value].map(([k, v]) => [withOneNumberType(k), withOneNumberType(v)]));
  return value;
}

function isSafe(number: number): boolean {
  return Number.isSafeInteger(number);
}
