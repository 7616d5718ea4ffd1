import {
  type AstNode,
  type Expr,
  parseStmt,
  type Stmt,
  type Token,
  tokenize,
  traverse,
} from 'sqlite3-parser';
import type { Range } from './host-text.ts';

/*
 * A reading of SQL by a parser made of SQLite's own grammar (its parse.y), with places. Elements of a list start, by
 * that parser, where the list does: the helpers here say where they really do.
 */

export interface ParsedStatement extends Range {
  /** The statement alone, from `from` to `to` of the text. */
  readonly sql: string;
  /** Its places count from the start of `sql`. */
  readonly tree: Stmt;
}

/** The statements of a text, a script or one alone; undefined if it is no SQL, or says nothing. */
export function parseStatements(text: string): readonly ParsedStatement[] | undefined {
  const statements: ParsedStatement[] = [];
  for (let from = 0; tokensOf(text.slice(from)).some(({ text: token }) => token !== ';'); ) {
    const result = parseStmt(text.slice(from), { allowTrailing: true });
    if (result.status !== 'ok') return undefined;
    const to = from + result.tail;
    statements.push({ sql: text.slice(from, to), tree: result.root, from, to });
    from = to;
  }
  return statements.length > 0 ? statements : undefined;
}

/** SQLite's tokens, without white space and comments. */
export function tokensOf(sql: string): readonly Token[] {
  return [...tokenize(sql)];
}

/** Parameters as written, in order: `?`, `?1`, `:name`, `@name`, `$name`. */
export function parametersOf(sql: string): readonly string[] {
  return tokensOf(sql)
    .map(({ text }) => text)
    .filter((text) => /^[?:@$]/.test(text));
}

/** How many values a call has to bind: a name counts once, however often it stands there. */
export function parameterCount(sql: string): number {
  const parameters = parametersOf(sql);
  const anonymous = parameters.filter((parameter) => parameter === '?');
  return anonymous.length + new Set(parameters.filter((parameter) => parameter !== '?')).size;
}

/** All nodes in the order of the text, each with the nodes around it from the innermost outwards. */
export function nodesOf(tree: AstNode): readonly Located<AstNode>[] {
  const found: Located<AstNode>[] = [];
  const around: AstNode[] = [];
  traverse(tree, {
    enter(node) {
      found.push({ node, around: [...around] });
      around.unshift(node);
    },
    leave() {
      around.shift();
    },
  });
  return found;
}

export interface Located<N extends AstNode> {
  readonly node: N;
  readonly around: readonly AstNode[];
}

export type NodeOf<T extends AstNode['type']> = Extract<AstNode, { readonly type: T }>;

/** All nodes of some types. */
export function nodesOfType<T extends AstNode['type']>(
  tree: AstNode,
  ...types: readonly T[]
): readonly NodeOf<T>[] {
  return nodesOf(tree)
    .map(({ node }) => node)
    .filter((node): node is NodeOf<T> => (types as readonly string[]).includes(node.type));
}

export function rangeOf({ span: { offset, length } }: Pick<AstNode, 'span'>): Range {
  return { from: offset, to: offset + length };
}

/** From the start of one node to the end of another. */
export function across(first: Pick<AstNode, 'span'>, last: Pick<AstNode, 'span'>): Range {
  return { from: rangeOf(first).from, to: rangeOf(last).to };
}

export function slice(sql: string, { from, to }: Range): string {
  return sql.slice(from, to);
}

/** The tokens within a range. */
export function tokensIn(sql: string, { from, to }: Range): readonly Token[] {
  return tokensOf(sql).filter(({ span }) => span.offset >= from && span.offset + span.length <= to);
}

/** The last run of these words before an offset; keywords in any case. */
export function wordsBefore(sql: string, offset: number, ...words: readonly string[]): Range | undefined {
  return runs(sql, words)
    .filter(({ to }) => to <= offset)
    .at(-1);
}

/** The first run of these words from an offset on. */
export function wordsAfter(sql: string, offset: number, ...words: readonly string[]): Range | undefined {
  return runs(sql, words).find(({ from }) => from >= offset);
}

function runs(sql: string, words: readonly string[]): readonly Range[] {
  const tokens = tokensOf(sql);
  return tokens.flatMap((first, at) => {
    const run = tokens.slice(at, at + words.length);
    const fits = words.every((word, index) => run[index]?.text.toUpperCase() === word);
    return fits ? [across(first, run.at(-1) ?? first)] : [];
  });
}

/** The range, and the white space before it. */
export function withSpaceBefore(sql: string, { from, to }: Range): Range {
  return { from: sql.slice(0, from).trimEnd().length, to };
}

/** The column that an expression names, without its table; undefined for any other expression. */
export function columnNamed(expression: Expr): string | undefined {
  if (expression.type === 'Id') return unquoted(expression.name);
  if (expression.type === 'NameExpr') return unquoted(expression.name.text);
  return expression.type === 'QualifiedExpr' ? unquoted(expression.column.text) : undefined;
}

/** A name as SQLite compares it: without quotes, in lower case. */
export function unquoted(name: string): string {
  return name.replace(/^(["`[])(.*)["`\]]$/s, '$2').toLowerCase();
}
