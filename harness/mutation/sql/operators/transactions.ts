import type { Mutation, SqlOperator } from '../operator.ts';
import { replaced } from '../phrases.ts';
import { rangeOf, tokensOf, wordsAfter } from '../syntax.ts';

/**
 * TXN: a transaction is weakened (SQLite's "Transaction", lang_transaction; the literature has no operator for it).
 * BEGIN IMMEDIATE and BEGIN EXCLUSIVE become the deferred BEGIN, which takes no lock until it must; COMMIT becomes
 * ROLLBACK. EXCLUSIVE does not become IMMEDIATE: only readers could tell. How a transaction is dropped as a whole:
 * see droppedTransactions.
 */
export const transactions: SqlOperator = {
  name: 'TXN',
  *mutate({ sql, tree }): Generator<Mutation> {
    if (tree.type === 'BeginStmt' && (tree.tx === 'Immediate' || tree.tx === 'Exclusive')) {
      const mode = wordsAfter(sql, 0, tree.tx.toUpperCase());
      if (mode) yield replaced(sql, mode, 'DEFERRED');
    } else if (tree.type === 'CommitStmt') {
      const [word] = tokensOf(sql);
      if (word) yield replaced(sql, rangeOf(word), 'ROLLBACK');
    }
  },
};
