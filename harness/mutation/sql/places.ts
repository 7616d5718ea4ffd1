import type { Patch } from '../mutants.ts';
import type { Place, SourceChange } from '../validation.ts';

/** Line and column of an offset, both from 1; CRLF, LF and CR end a line. */
export function placeAt(source: string, offset: number): Place {
  const lines = source.slice(0, offset).split(/\r\n|\r(?!$)|\n/);
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

/** The offset of a place of a source whose lines end with LF. */
export function offsetOf(source: string, { line, column }: Place): number {
  const before = source.split('\n').slice(0, line - 1);
  return before.reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
}

/** A patch as a result shows it: by line and column. */
export function changeOf(
  source: string,
  { file, from, to, replacement }: Patch & { file: string },
): SourceChange {
  const [start, end] = [placeAt(source, from), placeAt(source, to)];
  return { file, start, end, original: source.slice(from, to), replacement };
}

/** The changes as patches of what follows that offset of the source. */
export function patchesOf(source: string, changes: readonly SourceChange[], after: number): readonly Patch[] {
  return changes.map(({ start, end, replacement }) => ({
    from: offsetOf(source, start) - after,
    to: offsetOf(source, end) - after,
    replacement,
  }));
}
