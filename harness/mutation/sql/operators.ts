import type { SqlOperator } from './operator.ts';
import { aggregates } from './operators/aggregates.ts';
import { arithmetic } from './operators/arithmetic.ts';
import { between } from './operators/between.ts';
import { connectors, negatedConditions, omittedConditions } from './operators/conditions.ts';
import { conflict } from './operators/conflict.ts';
import { constants } from './operators/constants.ts';
import {
  checkRemoved,
  foreignKeyRemoved,
  notNullAdded,
  notNullRemoved,
  primaryKeyRemoved,
  uniqueRemoved,
} from './operators/constraints.ts';
import { distinct } from './operators/distinct.ts';
import { existence } from './operators/existence.ts';
import { limit } from './operators/limit.ts';
import { order } from './operators/order.ts';
import { relational } from './operators/relational.ts';
import { columns, parameters, returning } from './operators/swaps.ts';
import { transactions } from './operators/transactions.ts';

/**
 * All that mutate one statement alone, each of which says where it comes from. Where two make the same, the first has
 * it.
 */
export const sqlOperators: readonly SqlOperator[] = [
  relational,
  connectors,
  omittedConditions,
  negatedConditions,
  between,
  arithmetic,
  constants,
  columns,
  parameters,
  aggregates,
  distinct,
  order,
  limit,
  conflict,
  returning,
  existence,
  notNullRemoved,
  notNullAdded,
  primaryKeyRemoved,
  uniqueRemoved,
  checkRemoved,
  foreignKeyRemoved,
  transactions,
];
