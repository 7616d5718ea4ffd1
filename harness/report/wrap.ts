import LineBreaker from 'linebreak';
import stringWidth from 'string-width';

/** Columns of a terminal that is none, and the most that are used of a wide one. */
const usualColumns = 80;
const mostColumns = 100;

/** The columns to write in. */
export function columnsOf(stream: { readonly columns?: number }): number {
  return Math.min(stream.columns || usualColumns, mostColumns);
}

/**
 * The text in lines of at most so many columns, broken where its script allows (Unicode Standard Annex 14). A wide character has two.
 * What cannot be broken stays whole.
 */
export function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const part of partsOf(text)) {
    if (line !== '' && stringWidth((line + part).trimEnd()) > columns) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += part;
  }
  return [...lines, line.trimEnd()];
}

function* partsOf(text: string): Generator<string> {
  const breaker = new LineBreaker(text);
  let start = 0;
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) {
    yield text.slice(start, next.position);
    start = next.position;
  }
}
