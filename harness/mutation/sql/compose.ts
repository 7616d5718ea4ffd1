import type { SyntaxNode, Tree } from '@lezer/common';
import type { HostText, Piece, Range } from './host-text.ts';

/** What the search for texts has to know about a host language; `source` is the whole file. */
export interface HostLanguage {
  readonly parse: (source: string) => Tree;
  /** The pieces of a literal; undefined if the node is none that can hold SQL. */
  readonly literal: (source: string, node: SyntaxNode) => readonly Piece[] | undefined;
  /** The parts whose texts follow one another in this node: operands of `+`, adjacent literals; else undefined. */
  readonly parts: (source: string, node: SyntaxNode) => readonly SyntaxNode[] | undefined;
  /** Nodes that bind a name, each with the value it gives, where it is an expression. */
  readonly binding: (source: string, node: SyntaxNode) => Binding | undefined;
  /** A name that is read. */
  readonly isName: (node: SyntaxNode) => boolean;
  /** A literal that is no value: a docstring, a directive, a type, the name of a module. */
  readonly isNoValue: (node: SyntaxNode) => boolean;
  readonly isScope: (node: SyntaxNode) => boolean;
  /** The name of what the node is handed to. */
  readonly receiver: (source: string, node: SyntaxNode) => string | undefined;
}

export interface Binding {
  readonly name: string;
  readonly value: SyntaxNode | undefined;
}

/**
 * All texts of a file, the largest expressions that are made of literals. A name that is bound once in its file, to a
 * text, is read as that text, so that a fragment (`where = " WHERE id = ?"`) is seen in the statements it is part of.
 */
export function composedTexts(file: string, source: string, language: HostLanguage): readonly HostText[] {
  const root = language.parse(source).topNode;
  const constants = constantsOf(root, source, language);

  function piecesOf(node: SyntaxNode, within: readonly SyntaxNode[]): readonly Piece[] | undefined {
    const literal = language.literal(source, node);
    if (literal)
      return literal.flatMap((piece) => (piece.kind === 'hole' ? filled(piece.expression, within) : [piece]));
    const parts = language.parts(source, node);
    if (parts) {
      const known = parts.map((part) => piecesOf(part, within));
      if (known.every((pieces) => pieces === undefined)) return undefined;
      return known.flatMap((pieces, index) => pieces ?? [holeAt(parts[index] as SyntaxNode)]);
    }
    return language.isName(node) ? constant(textAt(node), within) : undefined;
  }

  function filled(expression: string, within: readonly SyntaxNode[]): readonly Piece[] {
    return constant(expression, within) ?? [{ kind: 'hole', expression }];
  }

  /** `within` are the definitions being read, lest one that is made of itself has no end. */
  function constant(name: string, within: readonly SyntaxNode[]): readonly Piece[] | undefined {
    const value = constants.get(name);
    if (!value || within.some(({ from }) => from === value.from)) return undefined;
    return piecesOf(value, [...within, value]);
  }

  function holeAt(node: SyntaxNode): Piece {
    return { kind: 'hole', expression: textAt(node) };
  }

  function textAt({ from, to }: Range): string {
    return source.slice(from, to);
  }

  function* textsIn(node: SyntaxNode): Generator<HostText> {
    if (language.isNoValue(node)) return;
    const pieces = language.isName(node) ? undefined : piecesOf(node, []);
    if (pieces) {
      const scopes = ancestors(node)
        .filter(language.isScope)
        .map(({ from, to }) => ({ from, to }));
      yield { file, pieces, from: node.from, handedTo: language.receiver(source, node), scopes };
      for (const inner of ownHoles(node, language, source)) yield* textsIn(inner);
    } else {
      for (const child of childrenOf(node)) yield* textsIn(child);
    }
  }

  return [...textsIn(root)];
}

/** Names that the file binds exactly once. */
function constantsOf(
  root: SyntaxNode,
  source: string,
  language: HostLanguage,
): ReadonlyMap<string, SyntaxNode> {
  const bindings: Binding[] = [];
  root.cursor().iterate(({ node }) => {
    const binding = language.binding(source, node);
    if (binding) bindings.push(binding);
  });
  const once = bindings.filter(({ name }) => bindings.filter((other) => other.name === name).length === 1);
  return new Map(once.flatMap(({ name, value }) => (value ? [[name, value]] : [])));
}

/** Expressions within a text that are no text themselves: texts may stand in them. */
function* ownHoles(node: SyntaxNode, language: HostLanguage, source: string): Generator<SyntaxNode> {
  const parts = language.parts(source, node);
  if (parts) for (const part of parts) yield* ownHoles(part, language, source);
  else if (language.literal(source, node)) yield* childrenOf(node);
  else yield node;
}

function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
}

function ancestors(node: SyntaxNode): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let parent = node.parent; parent; parent = parent.parent) found.push(parent);
  return found;
}
