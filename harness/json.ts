import { isInteger, parse } from 'lossless-json';
import { digits } from './literal.ts';
import { isDict, isList, type Value } from './value.ts';

/** How {@link toJson} spells: characters beyond ASCII by \u escapes, and blanks after `,` and `:`. */
export interface Spelling {
  readonly ascii: boolean;
  readonly space: string;
}

/** JSON text (RFC 8259) of a value made of null, booleans, numbers, strings, lists and dicts with string keys. */
export function toJson(value: Value, spelling: Spelling): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number')
    return Number.isInteger(value) && Math.abs(value) < 1e21 ? `${digits(value)}.0` : `${value}`;
  if (typeof value === 'string') return jsonString(value, spelling);
  if (isList(value)) return `[${value.map((item) => toJson(item, spelling)).join(`,${spelling.space}`)}]`;
  if (isDict(value)) {
    const members = [...value].map(
      ([key, item]) => `${jsonString(String(key), spelling)}:${spelling.space}${toJson(item, spelling)}`,
    );
    return `{${members.join(`,${spelling.space}`)}}`;
  }
  return String(value);
}

function jsonString(text: string, { ascii }: Spelling): string {
  const json = JSON.stringify(text);
  if (!ascii) return json;
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * The value of a JSON text, with ints and floats apart as Python's `json.loads` keeps them.
 * Throws a SyntaxError where the text is not JSON (RFC 8259).
 */
export function fromJson(text: string): Value {
  return fromParsed(
    parse(text, undefined, (number) => (isInteger(number) ? BigInt(number) : Number(number))),
  );
}

function fromParsed(parsed: unknown): Value {
  if (Array.isArray(parsed)) return parsed.map(fromParsed);
  if (typeof parsed === 'object' && parsed !== null) {
    return new Map(Object.entries(parsed).map(([key, item]) => [key, fromParsed(item)]));
  }
  return parsed as Value;
}
