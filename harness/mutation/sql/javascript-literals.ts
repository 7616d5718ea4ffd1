import type { SyntaxNode } from '@lezer/common';
import { character, decode, type Escape, type EscapeReader, lineEnd } from './decode.ts';
import type { Encode, Piece } from './host-text.ts';

/** The pieces of a node `String`; undefined for a literal that does not end. */
export function quotedString(source: string, node: SyntaxNode): readonly Piece[] | undefined {
  const quote = source.charAt(node.from);
  if (node.to - node.from < 2 || source.charAt(node.to - 1) !== quote) return undefined;
  const content = { from: node.from + 1, to: node.to - 1 };
  const encode: Encode = (text) =>
    text
      .replaceAll('\\', '\\\\')
      .replaceAll(quote, `\\${quote}`)
      .replaceAll('\n', '\\n')
      .replaceAll('\r', '\\r');
  return [{ kind: 'literal', ...decode(source, content, backslash), encode }];
}

/** The pieces of a node `TemplateString`; `raw` if its tag is `String.raw`. Undefined for one that does not end. */
export function templateString(source: string, node: SyntaxNode, raw: boolean): readonly Piece[] | undefined {
  if (node.to - node.from < 2 || source.charAt(node.to - 1) !== '`') return undefined;
  const read: EscapeReader = (rest) => (raw ? undefined : backslash(rest)) ?? lineEnd(rest);
  const literal = (from: number, to: number): Piece => ({
    kind: 'literal',
    ...decode(source, { from, to }, read),
    encode: (text) => encodeInTemplate(text, raw),
  });
  const pieces: Piece[] = [];
  let done = node.from + 1;
  for (const hole of node.getChildren('Interpolation')) {
    if (hole.from > done) pieces.push(literal(done, hole.from));
    pieces.push({ kind: 'hole', expression: source.slice(hole.from + 2, hole.to - 1).trim() });
    done = hole.to;
  }
  if (done < node.to - 1 || pieces.length === 0) pieces.push(literal(done, node.to - 1));
  return pieces;
}

function encodeInTemplate(text: string, raw: boolean): string | undefined {
  if (raw) return /[`\\$\r]/.test(text) ? undefined : text;
  return text.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('$', '\\$').replaceAll('\r', '\\r');
}

/** Escapes as in "Literals: String Literals" of ECMA-262; `\q` is `q` where the letter has no meaning of its own. */
function backslash(rest: string): Escape | undefined {
  const match = escapeSequence.exec(rest);
  const groups = match?.groups;
  if (!match || !groups) return undefined;
  const length = match[0].length;
  const { line, x, u, point, simple = '' } = groups;
  if (line !== undefined) return { length, says: '' };
  if (u !== undefined) return { length, says: String.fromCharCode(Number.parseInt(u, 16)) };
  const hexadecimal = x ?? point;
  if (hexadecimal !== undefined) return { length, says: character(hexadecimal) };
  return { length, says: simpleEscapes[simple] ?? simple };
}

const escapeSequence =
  /^\\(?:(?<line>\r\n|[\r\n\u2028\u2029])|x(?<x>[\da-fA-F]{2})|u(?<u>[\da-fA-F]{4})|u\{(?<point>[\da-fA-F]+)\}|(?<simple>.))/s;

const simpleEscapes: Readonly<Record<string, string>> = {
  '0': '\0',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
