import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/python';
import type { Binding, HostLanguage } from './compose.ts';
import { pythonLiteral } from './python-literals.ts';

/** Python, by Lezer's grammar, which is that of CodeMirror. */
export const python: HostLanguage = {
  parse: (source) => parser.parse(source),
  literal: (source, node) =>
    node.name === 'String' || node.name === 'FormatString' ? pythonLiteral(source, node) : undefined,
  parts,
  binding,
  isName: ({ name }) => name === 'VariableName',
  isNoValue: (node) =>
    node.name === 'ExpressionStatement' &&
    ['String', 'FormatString', 'ContinuedString'].includes(node.firstChild?.name ?? ''),
  isScope: ({ name }) => ['FunctionDefinition', 'LambdaExpression', 'ClassDefinition'].includes(name),
  receiver,
};

function parts(source: string, node: SyntaxNode): readonly SyntaxNode[] | undefined {
  const { firstChild: first, lastChild: last } = node;
  if (!first || !last) return undefined;
  switch (node.name) {
    case 'ContinuedString':
      return [...node.getChildren('String'), ...node.getChildren('FormatString')].sort(
        (a, b) => a.from - b.from,
      );
    case 'ParenthesizedExpression':
      return first.nextSibling ? [first.nextSibling] : undefined;
    case 'BinaryExpression': {
      const operator = node.getChild('ArithOp');
      return operator && source.slice(operator.from, operator.to) === '+' ? [first, last] : undefined;
    }
    default:
      return undefined;
  }
}

/** Of `a = …` and `a: str = …` with the value, of everything else that binds a name without. */
function binding(source: string, node: SyntaxNode): Binding | undefined {
  if (node.name !== 'VariableName') return undefined;
  const name = source.slice(node.from, node.to);
  const { parent, prevSibling: previous } = node;
  if (parent?.name === 'AssignStatement') {
    const [, second, third] = [node, ...following(node)];
    const operator = second?.name === 'TypeDef' ? third : second;
    if (operator?.name !== 'AssignOp') return second?.name === ',' ? { name, value: undefined } : undefined;
    const value = operator.nextSibling;
    const alone = !previous && value?.nextSibling === null;
    return { name, value: alone && value ? value : undefined };
  }
  const binds =
    ['ParamList', 'ImportStatement', 'UpdateStatement', 'NamedExpression'].includes(parent?.name ?? '') ||
    ['as', 'for', ','].includes(previous?.name ?? '');
  const isArgument = ['ArgList', 'TupleExpression', 'ArrayExpression'].includes(parent?.name ?? '');
  return binds && !isArgument ? { name, value: undefined } : undefined;
}

function following(node: SyntaxNode): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let next = node.nextSibling; next; next = next.nextSibling) found.push(next);
  return found;
}

/** `execute` for the text in `db.execute(text, …)`, with or without parentheses of its own. */
function receiver(source: string, node: SyntaxNode): string | undefined {
  const { parent } = node;
  if (parent?.name === 'ParenthesizedExpression') return receiver(source, parent);
  if (parent?.name !== 'ArgList') return undefined;
  const callee = parent.parent?.firstChild;
  const named = callee?.name === 'MemberExpression' ? callee.lastChild : callee;
  return named ? source.slice(named.from, named.to) : undefined;
}
