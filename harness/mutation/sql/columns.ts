import type { AstNode, Name, Stmt } from 'sqlite3-parser';
import type { Knowledge } from './operator.ts';
import { columnNamed, type Located, nodesOf, unquoted } from './syntax.ts';

type ColumnsOf = Knowledge['columnsOf'];

/**
 * The column that a value is compared with, put into, or the default of; undefined if it is none, or not to be seen.
 */
export function columnOfValue(
  { node, around }: Located<AstNode>,
  statement: AstNode,
  columnsOf: ColumnsOf,
): string | undefined {
  const [parent, grandparent] = around;
  switch (parent?.type) {
    case 'BinaryExpr':
      return columnNamed(parent.left === node ? parent.right : parent.left);
    case 'InListExpr':
    case 'BetweenExpr':
      return columnNamed(parent.lhs);
    case 'SetAssignment':
      return parent.colNames.length === 1 ? nameOf(parent.colNames[0]) : undefined;
    case 'DefaultColumnConstraint':
      return nameOf(around.find((outer) => outer.type === 'ColumnDefinition')?.colName);
    case 'ValuesRow':
      return grandparent?.type === 'SelectValues' && insertsWith(statement, grandparent)
        ? columnsFilled(statement, columnsOf)[(parent.values as readonly AstNode[]).indexOf(node)]
        : undefined;
    default:
      return undefined;
  }
}

/** The columns that an INSERT fills, in its order; none for other statements and for unknown tables. */
export function columnsFilled(statement: AstNode, columnsOf: ColumnsOf): readonly string[] {
  if (statement.type !== 'InsertStmt') return [];
  if (statement.columns) return statement.columns.map(({ text }) => unquoted(text));
  return columnsOf(unquoted(statement.tblName.objName.text)).map(({ name }) => name);
}

function insertsWith(statement: AstNode, values: AstNode): boolean {
  return (
    statement.type === 'InsertStmt' &&
    statement.body.type === 'SelectInsertBody' &&
    statement.body.select.select === values
  );
}

function nameOf(name: Name | undefined): string | undefined {
  return name && unquoted(name.text);
}

/** The strings that statements compare with columns, or put there, by column, in the order of the text. */
export function stringsByColumn(
  statements: readonly Stmt[],
  columnsOf: ColumnsOf,
): ReadonlyMap<string, readonly string[]> {
  const strings = new Map<string, string[]>();
  for (const statement of statements) {
    for (const located of nodesOf(statement)) {
      if (located.node.type !== 'StringLiteral') continue;
      const { value } = located.node;
      const column = columnOfValue(located, statement, columnsOf);
      if (column === undefined) continue;
      const known = strings.get(column) ?? [];
      if (!known.includes(value)) strings.set(column, [...known, value]);
    }
  }
  return strings;
}
