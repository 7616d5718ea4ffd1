import type { Place } from '../validation.ts';

/** Line and column of an offset, both from 1; CRLF, LF and CR end a line. */
export function placeAt(source: string, offset: number): Place {
  const lines = source.slice(0, offset).split(/\r\n|\r(?!$)|\n/);
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}
