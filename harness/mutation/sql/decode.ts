import type { Literal, Range } from './host-text.ts';

/** One escape of the source: how long it is there, and what it says. */
export interface Escape {
  readonly length: number;
  readonly says: string;
}

/** Reads the escape that starts at the beginning of `rest`; undefined where there is none. */
export type EscapeReader = (rest: string) => Escape | undefined;

/** The text between two offsets of a source, unit by unit; `read` knows the language's escapes. */
export function decode(
  source: string,
  { from, to }: Range,
  read: EscapeReader,
): Omit<Literal, 'kind' | 'encode'> {
  let text = '';
  const places: Range[] = [];
  for (let at = from; at < to; ) {
    const { length, says } = read(source.slice(at, to)) ?? { length: 1, says: source.charAt(at) };
    text += says;
    for (let unit = 0; unit < says.length; unit++) places.push({ from: at, to: at + length });
    at += length;
  }
  return { text, places, end: to };
}

/** In both languages a literal's line ends are `\n`, whatever they are in the file. */
export function lineEnd(rest: string): Escape | undefined {
  if (rest.startsWith('\r\n')) return { length: 2, says: '\n' };
  return rest.startsWith('\r') ? { length: 1, says: '\n' } : undefined;
}

/** The character of a code point in hexadecimal; empty if there is no such code point. */
export function character(hexadecimal: string): string {
  const code = Number.parseInt(hexadecimal, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
