import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/javascript';
import type { Binding, HostLanguage } from './compose.ts';
import { quotedString, templateString } from './javascript-literals.ts';

const typescript = parser.configure({ dialect: 'ts' });

/** TypeScript, and JavaScript as a part of it, by Lezer's grammar, which is that of CodeMirror. */
export const javascript: HostLanguage = {
  parse: (source) => typescript.parse(source),
  literal: (source, node) => {
    if (node.name === 'String') return quotedString(source, node);
    return node.name === 'TemplateString'
      ? templateString(source, node, tagOf(source, node) === 'raw')
      : undefined;
  },
  parts,
  binding,
  isName: ({ name }) => name === 'VariableName',
  isNoValue: (node) =>
    ['LiteralType', 'ImportDeclaration', 'ExportDeclaration'].includes(node.name)
      ? node.name !== 'ExportDeclaration' || node.getChild('from') !== null
      : node.name === 'ExpressionStatement' && node.firstChild?.name === 'String',
  isScope: ({ name }) => scopes.has(name),
  receiver,
};

const scopes = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunction',
  'MethodDeclaration',
  'ClassDeclaration',
  'ClassExpression',
]);

function parts(source: string, node: SyntaxNode): readonly SyntaxNode[] | undefined {
  const { firstChild: first, lastChild: last } = node;
  if (!first || !last) return undefined;
  if (node.name === 'ParenthesizedExpression') return first.nextSibling ? [first.nextSibling] : undefined;
  if (node.name !== 'BinaryExpression') return undefined;
  if (node.getChild('as') || node.getChild('satisfies')) return [first];
  const operator = node.getChild('ArithOp');
  return operator && source.slice(operator.from, operator.to) === '+' ? [first, last] : undefined;
}

/** Of `const a = …` and `let a: string = …` with the value, of everything else that binds a name without. */
function binding(source: string, node: SyntaxNode): Binding | undefined {
  const name = source.slice(node.from, node.to);
  const isTarget =
    node.name === 'VariableName' && node.parent?.name === 'AssignmentExpression' && !node.prevSibling;
  if (isTarget) return { name, value: undefined };
  if (node.name !== 'VariableDefinition') return undefined;
  const next = node.nextSibling?.name === 'TypeAnnotation' ? node.nextSibling.nextSibling : node.nextSibling;
  const declares = node.parent?.name === 'VariableDeclaration' && next?.name === 'Equals';
  return { name, value: (declares && next.nextSibling) || undefined };
}

/** `prepare` for the text in `db.prepare(text)`, the tag for a tagged template. */
function receiver(source: string, node: SyntaxNode): string | undefined {
  const { parent } = node;
  if (parent?.name === 'ParenthesizedExpression') return receiver(source, parent);
  if (parent?.name === 'TaggedTemplateExpression') return tagOf(source, node);
  const callee = parent?.name === 'ArgList' ? parent.parent?.firstChild : undefined;
  return callee ? nameOf(source, callee) : undefined;
}

function tagOf(source: string, node: SyntaxNode): string | undefined {
  const { parent } = node;
  return parent?.name === 'TaggedTemplateExpression' && parent.firstChild
    ? nameOf(source, parent.firstChild)
    : undefined;
}

function nameOf(source: string, callee: SyntaxNode): string {
  const called = callee.name === 'InstantiationExpression' ? (callee.firstChild ?? callee) : callee;
  const named = called.name === 'MemberExpression' ? (called.lastChild ?? called) : called;
  return source.slice(named.from, named.to);
}
