import type { AstNode, Expr } from 'sqlite3-parser';
import { type NodeOf, nodesOf } from './syntax.ts';

/** A condition without AND and OR of its own, and the connective that it hangs on: AND for one that stands alone. */
export interface Condition {
  readonly expression: Expr;
  readonly connective: 'And' | 'Or';
}

/** The conditions of all predicates of a statement: WHERE, HAVING, ON, FILTER, CHECK, WHEN. */
export function conditionsOf(tree: AstNode): readonly Condition[] {
  return predicatesOf(tree).flatMap((predicate) => conditionsIn(predicate, 'And'));
}

/** The ANDs and ORs between them. */
export function connectivesOf(tree: AstNode): readonly NodeOf<'BinaryExpr'>[] {
  return predicatesOf(tree).flatMap(connectivesIn);
}

/** The conditions that all have to hold: those that AND joins, without going into any OR. */
export function conjunctsOf(predicate: Expr | undefined): readonly Expr[] {
  if (!predicate) return [];
  const inner = innerOf(predicate);
  const joins = isConnective(inner) && inner.op === 'And';
  return joins ? [...conjunctsOf(inner.left), ...conjunctsOf(inner.right)] : [inner];
}

function predicatesOf(tree: AstNode): readonly Expr[] {
  return nodesOf(tree)
    .flatMap(({ node }) => {
      switch (node.type) {
        case 'SelectFrom':
          return [node.whereClause, node.having];
        case 'UpdateStmt':
        case 'DeleteStmt':
        case 'UpdateTriggerCmd':
        case 'DeleteTriggerCmd':
        case 'SetUpsertDo':
        case 'UpsertIndex':
        case 'CreateIndexStmt':
          return [node.whereClause];
        case 'CreateTriggerStmt':
          return [node.whenClause];
        case 'OnJoinConstraint':
        case 'CheckColumnConstraint':
        case 'CheckTableConstraint':
          return [node.expr];
        case 'FunctionTail':
          return [node.filterClause];
        case 'CaseExpr':
          return node.base ? [] : node.whenThenPairs.map(({ when }) => when);
        default:
          return [];
      }
    })
    .filter((predicate) => predicate !== undefined);
}

function conditionsIn(expression: Expr, connective: Condition['connective']): readonly Condition[] {
  const inner = innerOf(expression);
  if (!isConnective(inner)) return [{ expression, connective }];
  return [...conditionsIn(inner.left, inner.op), ...conditionsIn(inner.right, inner.op)];
}

function connectivesIn(expression: Expr): readonly Connective[] {
  const inner = innerOf(expression);
  return isConnective(inner) ? [...connectivesIn(inner.left), inner, ...connectivesIn(inner.right)] : [];
}

type Connective = NodeOf<'BinaryExpr'> & { readonly op: 'And' | 'Or' };

function isConnective(expression: Expr): expression is Connective {
  return expression.type === 'BinaryExpr' && (expression.op === 'And' || expression.op === 'Or');
}

/** Without the parentheses around it. */
function innerOf(expression: Expr): Expr {
  const [only, ...others] = expression.type === 'ParenthesizedExpr' ? expression.exprs : [];
  return only && others.length === 0 ? innerOf(only) : expression;
}
