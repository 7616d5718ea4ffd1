import type { SqlOperator } from '../operator.ts';
import { dropped } from '../phrases.ts';
import { withSpaceBefore, wordsAfter } from '../syntax.ts';

/** INE: IF NOT EXISTS, or IF EXISTS, is dropped (the literature has no operator for it). */
export const existence: SqlOperator = {
  name: 'INE',
  *mutate({ sql, tree }) {
    const creates = 'ifNotExists' in tree && tree.ifNotExists;
    const drops = 'ifExists' in tree && tree.ifExists;
    if (!creates && !drops) return;
    const clause = wordsAfter(sql, 0, ...(creates ? ['IF', 'NOT', 'EXISTS'] : ['IF', 'EXISTS']));
    if (clause) yield dropped(sql, withSpaceBefore(sql, clause));
  },
};
