import { type Texts, textsOf } from './messages/texts.ts';
import { isDict, isList, type Opaque, Special, Tuple, type Value } from './value.ts';

export type Language = 'python' | 'javascript';

/** The text as an SQL literal. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The value as source text of the language, so that a reader can paste it, with terms in words of the texts. Invisible characters are escaped. */
export function literal(value: Value, language: Language, texts = textsOf('en')): string {
  const python = language === 'python';
  if (value === null) return python ? 'None' : 'null';
  if (typeof value === 'boolean') return python ? (value ? 'True' : 'False') : String(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return python ? pythonFloat(value) : digits(value);
  if (typeof value === 'string') return quoted(value, language);
  if (isList(value)) return `[${items(value, language, texts)}]`;
  if (value instanceof Tuple) {
    const inside = items(value.items, language, texts);
    return python ? `(${inside}${value.items.length === 1 ? ',' : ''})` : `[${inside}]`;
  }
  if (isDict(value)) {
    return `{${[...value].map(([k, v]) => `${member(k, language)}: ${literal(v, language, texts)}`).join(', ')}}`;
  }
  if (value instanceof Special) return value.source((part) => literal(part, language, texts), texts);
  return `<${(value as Opaque).type} ${(value as Opaque).text}>`;
}

/** JavaScript takes `'__proto__': x` for something else than a member. */
function member(key: Value, language: Language): string {
  return key === '__proto__' && language === 'javascript' ? "['__proto__']" : literal(key, language);
}

function items(values: readonly Value[], language: Language, texts: Texts): string {
  return values.map((value) => literal(value, language, texts)).join(', ');
}

/** As JavaScript prints it, but with the sign of a zero. */
export function digits(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Both languages print the shortest digits that read back as the same double; only Python marks the float. */
function pythonFloat(value: number): string {
  const text = digits(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

/** Quotes as both languages read them; combining marks, blanks other than ' ' and controls by their number. */
function quoted(text: string, language: Language): string {
  const body = text
    .replace(/[\\']/g, '\\$&')
    .replaceAll('##[', '#\\x23[') // a command to runners of GitHub Actions
    .replace(/(?! )[\p{M}\p{C}\p{Z}]/gu, (character) => escaped(character.codePointAt(0) ?? 0, language));
  return `'${body}'`;
}

function escaped(codePoint: number, language: Language): string {
  const hex = codePoint.toString(16);
  if (codePoint < 0x100) return `\\x${hex.padStart(2, '0')}`;
  if (codePoint < 0x10000) return `\\u${hex.padStart(4, '0')}`;
  return language === 'python' ? `\\U${hex.padStart(8, '0')}` : `\\u{${hex}}`;
}

/** The function's name in that language: JavaScript writes camelCase. */
export function functionName(name: string, language: Language): string {
  return language === 'python' ? name : name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
