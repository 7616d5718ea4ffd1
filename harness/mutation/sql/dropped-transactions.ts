import type { Stmt } from 'sqlite3-parser';
import { type Change, sourceChanges } from './edits.ts';
import type { Range } from './host-text.ts';
import type { Statement } from './statements.ts';
import { rangeOf, tokensOf } from './syntax.ts';

/** Several statements that are wrong together. */
export interface JointMutation {
  readonly changes: readonly Change[];
  readonly what: string;
  /** Where it begins. */
  readonly at: Statement;
}

/**
 * TXN, none: a transaction is dropped as a whole, its BEGIN with the COMMIT and the ROLLBACK that go with it, since
 * in autocommit mode SQLite refuses those, and a crash would say nothing about the contract. They belong together in
 * the innermost function or class, or else in the file, that holds a BEGIN and a COMMIT; SAVEPOINT and RELEASE in the
 * same way.
 */
export function droppedTransactions(statements: readonly Statement[]): readonly JointMutation[] {
  return statements.flatMap((start) => {
    const kind = kinds.find(({ begins }) => begins.includes(start.tree.type));
    if (!kind) return [];
    const own = statements.filter(({ text, tree }) => text.file === start.text.file && kind.has(tree));
    const scope = [...start.host.scopes, everything].find((range) =>
      own.some(({ host, tree }) => kind.ends.includes(tree.type) && isWithin(host.from, range)),
    );
    const together = own.filter(({ host }) => isWithin(host.from, scope ?? everything));
    const changes = together.map((statement) => nothingInPlaceOf(statement));
    if (changes.some((change) => change === undefined)) return [];
    return [
      {
        changes: changes.flatMap((change) => change ?? []),
        what: `${kind.name} is dropped, with its end`,
        at: start,
      },
    ];
  });
}

const everything: Range = { from: 0, to: Number.POSITIVE_INFINITY };

const kinds = [
  {
    name: 'the transaction',
    begins: ['BeginStmt'] as readonly string[],
    ends: ['CommitStmt'] as readonly string[],
    has: (tree: Stmt) =>
      tree.type === 'BeginStmt' ||
      tree.type === 'CommitStmt' ||
      (tree.type === 'RollbackStmt' && tree.savepointName === undefined),
  },
  {
    name: 'the savepoint',
    begins: ['SavepointStmt'] as readonly string[],
    ends: ['ReleaseStmt'] as readonly string[],
    has: (tree: Stmt) =>
      tree.type === 'SavepointStmt' ||
      tree.type === 'ReleaseStmt' ||
      (tree.type === 'RollbackStmt' && tree.savepointName !== undefined),
  },
];

function isWithin(offset: number, { from, to }: Range): boolean {
  return from <= offset && offset < to;
}

/**
 * A pragma that SQLite does not know, which does nothing and raises nothing ("PRAGMA Statements"). An empty text, or
 * one that returns rows, is refused by some calls of some drivers.
 */
const nothing = 'PRAGMA no_transaction';

function nothingInPlaceOf({ text, sql, from }: Statement): readonly Change[] | undefined {
  const tokens = tokensOf(sql).filter(({ text: token }) => token !== ';');
  const [first, last] = [tokens[0], tokens.at(-1)];
  if (!first || !last) return undefined;
  return sourceChanges(text, [
    { from: from + rangeOf(first).from, to: from + rangeOf(last).to, text: nothing },
  ]);
}
