import { LineBreaker } from 'css-line-break';
import stringWidth from 'string-width';
import type { Tongue } from '../messages/texts.ts';

/** Columns of a terminal that is none, and the most that are used of a wide one. */
const usualColumns = 80;
const mostColumns = 100;

/** The columns to write in. */
export function columnsOf(stream: { readonly columns?: number }): number {
  return Math.min(stream.columns || usualColumns, mostColumns);
}

/**
 * The text in lines of so many columns, of which characters such as 漢 take two. Lines end where the Unicode line
 * breaking algorithm (UAX #14) lets them, so that none begins with 。 or ）; Korean is broken at blanks only. What has no
 * such place, as an address, is left whole.
 */
export function wrapped(text: string, columns: number, tongue: Tongue): readonly string[] {
  const lines = [''];
  for (const piece of piecesOf(text, tongue)) {
    const longer = (lines.at(-1) ?? '') + piece;
    if (lines.at(-1) !== '' && stringWidth(longer.trimEnd()) > columns) lines.push(piece);
    else lines[lines.length - 1] = longer;
  }
  return lines.map((line) => line.trimEnd());
}

/** What may not be torn apart, with the blanks after it. */
function piecesOf(text: string, tongue: Tongue): readonly string[] {
  if (tongue === 'ko') return text.split(/(?<= )/);
  const breaker = LineBreaker(text, { lineBreak: 'strict', wordBreak: 'normal' });
  const pieces: string[] = [];
  for (let next = breaker.next(); !next.done; next = breaker.next()) pieces.push(next.value.slice());
  return pieces;
}
