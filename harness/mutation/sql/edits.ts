import type { Literal, Piece } from './host-text.ts';

/** Puts `text` in place of what a statement says from one offset to another; UTF-16 units, the end exclusive. */
export interface SqlEdit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The same in a source file. */
export interface Change {
  readonly file: string;
  readonly from: number;
  readonly to: number;
  readonly replacement: string;
}

/** A host text with every hole filled, so that it can be read as SQL. */
export interface FilledText {
  readonly file: string;
  readonly sql: string;
  readonly parts: readonly Part[];
}

/** A piece and where it stands in the whole. */
export interface Part {
  readonly piece: Piece;
  readonly from: number;
  readonly to: number;
}

export function fill(
  file: string,
  pieces: readonly Piece[],
  filling: (expression: string) => string,
): FilledText {
  let sql = '';
  const parts = pieces.map((piece): Part => {
    const from = sql.length;
    sql += piece.kind === 'literal' ? piece.text : filling(piece.expression);
    return { piece, from, to: sql.length };
  });
  return { file, sql, parts };
}

/** The text with the edits made, which do not overlap; two insertions at one place come in their order. */
export function edited(text: string, edits: readonly SqlEdit[]): string {
  let result = '';
  let done = 0;
  for (const { from, to, text: replacement } of inOrder(edits)) {
    result += text.slice(done, from) + replacement;
    done = to;
  }
  return result + text.slice(done);
}

function inOrder<E extends { readonly from: number; readonly to: number }>(
  edits: readonly E[],
): readonly E[] {
  return [...edits].sort((a, b) => a.from - b.from || a.to - b.to);
}

/**
 * The edits of the SQL as changes of the source: what is put in is written into the first literal concerned. Undefined
 * if a hole would be edited, or a literal cannot say what is put in.
 */
export function sourceChanges(text: FilledText, edits: readonly SqlEdit[]): readonly Change[] | undefined {
  const changes = inOrder(edits).map((edit) => changesFor(text, edit));
  return changes.every((change) => change !== undefined) ? changes.flat() : undefined;
}

function changesFor({ file, parts }: FilledText, { from, to, text }: SqlEdit): readonly Change[] | undefined {
  const concerned = parts.filter((part) =>
    from === to ? part.from <= from && from <= part.to : part.from < to && from < part.to,
  );
  if (from === to) {
    const part = concerned.find(({ piece }) => piece.kind === 'literal');
    if (part?.piece.kind !== 'literal') return undefined;
    const at = sourceOffset(part.piece, from - part.from);
    const replacement = part.piece.encode(text);
    return replacement === undefined ? undefined : [{ file, from: at, to: at, replacement }];
  }
  const changes: Change[] = [];
  for (const [index, { piece, from: start, to: end }] of concerned.entries()) {
    if (piece.kind === 'hole') return undefined;
    const replacement = index === 0 ? piece.encode(text) : '';
    if (replacement === undefined) return undefined;
    const first = piece.places[Math.max(from, start) - start];
    const last = piece.places[Math.min(to, end) - start - 1];
    if (first && last) changes.push({ file, from: first.from, to: last.to, replacement });
  }
  return changes;
}

/** Where a unit is said, or for the end of the text where it ends. */
function sourceOffset({ places, end }: Literal, unit: number): number {
  return places[unit]?.from ?? end;
}
