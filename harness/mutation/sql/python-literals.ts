import type { SyntaxNode } from '@lezer/common';
import { character, decode, type Escape, type EscapeReader, lineEnd } from './decode.ts';
import type { Encode, Piece, Range } from './host-text.ts';

/** A string literal of Python, by its prefix and its quotes. Bytes are none: sqlite3 takes no statement as bytes. */
interface Notation {
  readonly raw: boolean;
  readonly formatted: boolean;
  readonly quote: string;
  /** What is between the quotes. */
  readonly content: Range;
}

/** The pieces of a node `String` or `FormatString`; undefined for bytes and for a literal that does not end. */
export function pythonLiteral(source: string, node: SyntaxNode): readonly Piece[] | undefined {
  const notation = notationOf(source, node);
  if (!notation) return undefined;
  const { content } = notation;
  const reader = escapeReader(notation);
  const encode = encoder(notation);
  const literal = (from: number, to: number): Piece => ({
    kind: 'literal',
    ...decode(source, { from, to }, reader),
    encode,
  });
  const pieces: Piece[] = [];
  let done = content.from;
  for (const hole of node.getChildren('FormatReplacement')) {
    if (hole.from > done) pieces.push(literal(done, hole.from));
    pieces.push({ kind: 'hole', expression: source.slice(hole.from + 1, hole.to - 1).trim() });
    done = hole.to;
  }
  if (done < content.to || pieces.length === 0) pieces.push(literal(done, content.to));
  return pieces;
}

function notationOf(source: string, node: SyntaxNode): Notation | undefined {
  const written = source.slice(node.from, node.to);
  const match = /^([a-z]*)("""|'''|"|')/i.exec(written);
  const [opening = '', prefix = '', quote = ''] = match ?? [];
  const ends = written.length >= opening.length + quote.length && written.endsWith(quote);
  if (!match || !ends || /b/i.test(prefix)) return undefined;
  const content = { from: node.from + opening.length, to: node.to - quote.length };
  return { raw: /r/i.test(prefix), formatted: /f/i.test(prefix), quote, content };
}

/** Escapes as in "String and Bytes literals" of the Python reference; an unknown one stands for itself. */
function escapeReader({ raw, formatted }: Notation): EscapeReader {
  return (rest) => {
    if (formatted && (rest.startsWith('{{') || rest.startsWith('}}')))
      return { length: 2, says: rest.charAt(0) };
    return (raw ? undefined : backslash(rest)) ?? lineEnd(rest);
  };
}

function backslash(rest: string): Escape | undefined {
  const match = escapeSequence.exec(rest);
  const groups = match?.groups;
  if (!match || !groups) return undefined;
  const length = match[0].length;
  const { line, octal, code, name, simple } = groups;
  if (line !== undefined) return { length, says: '' };
  if (octal !== undefined) return { length, says: String.fromCharCode(Number.parseInt(octal, 8)) };
  if (name !== undefined) return { length, says: '\ufffd' }; // some character; which one is in no table here
  if (code !== undefined) return { length, says: character(code.slice(1)) };
  return { length, says: simpleEscapes[simple ?? ''] ?? rest.slice(0, length) };
}

const escapeSequence =
  /^\\(?:(?<line>\r\n|\r|\n)|(?<octal>[0-7]{1,3})|(?<code>x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8})|N\{(?<name>[^}]*)\}|(?<simple>[\\'"abfnrtv]))/;

const simpleEscapes: Readonly<Record<string, string>> = {
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

function encoder({ raw, formatted, quote }: Notation): Encode {
  const mark = quote.charAt(0);
  const multiline = quote.length === 3;
  return (text) => {
    if (raw && (/[\\\r]/.test(text) || text.includes(mark) || (!multiline && text.includes('\n'))))
      return undefined;
    let written = raw
      ? text
      : text.replaceAll('\\', '\\\\').replaceAll(mark, `\\${mark}`).replaceAll('\r', '\\r');
    if (!multiline) written = written.replaceAll('\n', '\\n');
    return formatted ? written.replaceAll('{', '{{').replaceAll('}', '}}') : written;
  };
}
