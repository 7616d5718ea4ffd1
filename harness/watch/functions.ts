import type { SyntaxNode } from '@lezer/common';
import { parser as javascript } from '@lezer/javascript';
import { parser as python } from '@lezer/python';

/** Nodes that stand for the function within them: `@decorated def f`, `export function f`. */
const wrappers = ['DecoratedStatement', 'ExportDeclaration'];

/** What the code has at its top level: the text of each function, and all else. */
interface Parts {
  readonly functions: ReadonlyMap<string, string>;
  readonly rest: string;
}

/**
 * The names of the top-level functions whose text is another; undefined where something else is another, too, on which
 * any of them may depend. `file` tells the language by its extension.
 */
export function changedFunctions(file: string, before: string, after: string): readonly string[] | undefined {
  const [old, now] = [before, after].map((source) => partsOf(source, file.endsWith('.py'))) as [Parts, Parts];
  if (old.rest !== now.rest) return undefined;
  const names = new Set([...old.functions.keys(), ...now.functions.keys()]);
  return [...names].filter((name) => old.functions.get(name) !== now.functions.get(name));
}

function partsOf(source: string, isPython: boolean): Parts {
  const tree = (isPython ? python : javascript.configure({ dialect: 'ts' })).parse(source);
  const functions = new Map<string, string>();
  let rest = '';
  for (let node = tree.topNode.firstChild; node; node = node.nextSibling) {
    const text = source.slice(node.from, node.to);
    const name = nameOf(source, node);
    if (name === undefined) rest += `${text}\n`;
    else functions.set(name, (functions.get(name) ?? '') + text);
  }
  return { functions, rest };
}

/** The name of the function that the node is, if it is one. */
function nameOf(source: string, node: SyntaxNode): string | undefined {
  const definition = wrappers.includes(node.name)
    ? (node.getChild('FunctionDefinition') ?? node.getChild('FunctionDeclaration'))
    : node;
  if (definition?.name !== 'FunctionDefinition' && definition?.name !== 'FunctionDeclaration')
    return undefined;
  const name = definition.getChild('VariableName') ?? definition.getChild('VariableDefinition');
  return name ? source.slice(name.from, name.to) : undefined;
}
