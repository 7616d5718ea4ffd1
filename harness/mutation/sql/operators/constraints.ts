import type { ColumnDefinition, NamedTableConstraint, SortedColumn } from 'sqlite3-parser';
import type { Range } from '../host-text.ts';
import type { Mutable, Mutation, SqlOperator } from '../operator.ts';
import { dropped } from '../phrases.ts';
import {
  across,
  nodesOfType,
  rangeOf,
  unquoted,
  withSpaceBefore,
  wordsAfter,
  wordsBefore,
} from '../syntax.ts';

/*
 * Operators on integrity constraints, named as in McMinn, Wright and Kapfhammer, "The effectiveness of test coverage
 * criteria for relational database schema integrity constraints", ACM TOSEM 25, 2015: NN not null, PK primary key, UC
 * unique, CC check, FK foreign key; the last letter is A for added, R for removed.
 */

/** NNCR: NOT NULL is removed. */
export const notNullRemoved: SqlOperator = {
  name: 'NNCR',
  mutate: (statement) => withoutConstraints(statement, ['NotNullColumnConstraint']),
};

/** PKCColumnR: PRIMARY KEY is removed, or a column of one that has several. */
export const primaryKeyRemoved: SqlOperator = {
  name: 'PKCColumnR',
  *mutate(statement) {
    yield* withoutConstraints(statement, ['PrimaryKeyColumnConstraint', 'PrimaryKeyTableConstraint']);
    for (const { columns } of nodesOfType(statement.tree, 'PrimaryKeyTableConstraint'))
      yield* withoutColumns(statement.sql, columns);
  },
};

/** UCColumnR: UNIQUE is removed, of a column, a table or an index, or a column of one that has several. */
export const uniqueRemoved: SqlOperator = {
  name: 'UCColumnR',
  *mutate(statement) {
    const { sql, tree } = statement;
    yield* withoutConstraints(statement, ['UniqueColumnConstraint', 'UniqueTableConstraint']);
    for (const { columns } of nodesOfType(tree, 'UniqueTableConstraint')) yield* withoutColumns(sql, columns);
    if (tree.type !== 'CreateIndexStmt' || !tree.unique) return;
    const unique = wordsAfter(sql, 0, 'UNIQUE');
    if (unique) yield dropped(sql, withSpaceBefore(sql, unique));
    yield* withoutColumns(sql, tree.columns);
  },
};

/** CCR: CHECK is removed. */
export const checkRemoved: SqlOperator = {
  name: 'CCR',
  mutate: (statement) => withoutConstraints(statement, ['CheckColumnConstraint', 'CheckTableConstraint']),
};

/** FKCR: REFERENCES or FOREIGN KEY is removed. */
export const foreignKeyRemoved: SqlOperator = {
  name: 'FKCR',
  mutate: (statement) =>
    withoutConstraints(statement, ['ForeignKeyColumnConstraint', 'ForeignKeyTableConstraint']),
};

/** NNCA: NOT NULL is added to a column that may be NULL: not to the alias of the rowid, nor to a key WITHOUT ROWID. */
export const notNullAdded: SqlOperator = {
  name: 'NNCA',
  *mutate({ tree }, { columnsOf }) {
    if (tree.type !== 'CreateTableStmt') return;
    const known = columnsOf(unquoted(tree.tblName.objName.text));
    for (const column of nodesOfType(tree, 'ColumnDefinition')) {
      const name = unquoted(column.colName.text);
      const declared = column.constraints.some(
        ({ constraint }) => constraint.type === 'NotNullColumnConstraint',
      );
      if (declared || known.some((other) => other.name === name && other.neverNull)) continue;
      yield {
        edits: [{ from: endOf(column), to: endOf(column), text: ' NOT NULL' }],
        what: `\`${name}\` becomes NOT NULL`,
      };
    }
  },
};

/** Behind name, type and PRIMARY KEY, where a writer puts it; so not within a generated or a checked expression. */
function endOf({ colName, colType, constraints }: ColumnDefinition): number {
  const key = constraints.find(({ constraint }) => constraint.type === 'PrimaryKeyColumnConstraint');
  return rangeOf(key ?? colType ?? colName).to;
}

type ConstraintType = ColumnDefinition['constraints'][number]['constraint']['type'] | TableConstraintType;
type TableConstraintType = NamedTableConstraint['constraint']['type'];

function* withoutConstraints({ sql, tree }: Mutable, types: readonly ConstraintType[]): Generator<Mutation> {
  for (const column of nodesOfType(tree, 'ColumnDefinition')) {
    for (const { name, constraint } of column.constraints) {
      if (types.includes(constraint.type))
        yield dropped(sql, withSpaceBefore(sql, namedRange(sql, name, rangeOf(constraint))));
    }
  }
  for (const { name, constraint } of nodesOfType(tree, 'NamedTableConstraint')) {
    if (types.includes(constraint.type))
      yield dropped(sql, withComma(sql, namedRange(sql, name, rangeOf(constraint))));
  }
}

/** With `CONSTRAINT name` before it, where it has a name. */
function namedRange(sql: string, name: Parameters<typeof rangeOf>[0] | undefined, range: Range): Range {
  const keyword = name && wordsBefore(sql, rangeOf(name).from, 'CONSTRAINT');
  return keyword ? { from: keyword.from, to: range.to } : range;
}

/** With the comma before it: constraints of a table stand behind its columns. */
function withComma(sql: string, range: Range): Range {
  const comma = wordsBefore(sql, range.from, ',');
  return comma ? { from: comma.from, to: range.to } : range;
}

function* withoutColumns(sql: string, columns: readonly SortedColumn[]): Generator<Mutation> {
  if (columns.length < 2) return;
  for (const [index, column] of columns.entries()) {
    const [before, after] = [columns[index - 1], columns[index + 1]];
    const { from, to } = across(column.expr, column);
    yield dropped(
      sql,
      before ? { from: rangeOf(before).to, to } : { from, to: after ? rangeOf(after.expr).from : to },
    );
  }
}
