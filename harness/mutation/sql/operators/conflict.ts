import type { InsertStmt, UpdateStmt, Upsert } from 'sqlite3-parser';
import { columnsFilled } from '../columns.ts';
import type { Range } from '../host-text.ts';
import type { Knowledge, Mutation, SqlOperator } from '../operator.ts';
import { dropped, replaced } from '../phrases.ts';
import {
  columnNamed,
  nodesOfType,
  rangeOf,
  tokensIn,
  unquoted,
  withSpaceBefore,
  wordsAfter,
  wordsBefore,
} from '../syntax.ts';

/**
 * CFL: what happens when a row is in the way is replaced (SQLite's "ON CONFLICT clause", lang_conflict, and "UPSERT",
 * lang_upsert; the literature has no operator for it). OR IGNORE, OR REPLACE and none change into each other, none
 * being ABORT; DO NOTHING and DO UPDATE change into each other, and are dropped.
 */
export const conflict: SqlOperator = {
  name: 'CFL',
  *mutate({ sql, tree }, { columnsOf }) {
    if (tree.type !== 'InsertStmt' && tree.type !== 'UpdateStmt') return;
    const upserts = nodesOfType(tree, 'Upsert');
    if (upserts.length === 0) yield* otherResolutions(sql, tree);
    for (const upsert of upserts) yield* otherUpserts(sql, tree, upsert, columnsOf);
  },
};

function* otherResolutions(sql: string, tree: InsertStmt | UpdateStmt): Generator<Mutation> {
  const verb = verbOf(sql, tree);
  if (!verb) return;
  for (const resolution of ['', ' OR IGNORE', ' OR REPLACE']) {
    const text = (tree.type === 'InsertStmt' ? 'INSERT' : 'UPDATE') + resolution;
    if (tree.type === 'UpdateStmt' && resolution !== '' && tree.orConflict === undefined) continue;
    if (resolution !== resolutionOf(tree)) yield replaced(sql, verb, text);
  }
}

/** `INSERT`, `INSERT OR IGNORE`, `REPLACE`: all before INTO, or before the table of an UPDATE. */
function verbOf(sql: string, tree: InsertStmt | UpdateStmt): Range | undefined {
  const table = rangeOf(tree.tblName).from;
  const into = tree.type === 'InsertStmt' ? wordsBefore(sql, table, 'INTO') : { from: table };
  const verb = /^(INSERT|REPLACE|UPDATE)$/i;
  const words = into && tokensIn(sql, { from: 0, to: into.from });
  const start = words?.findLastIndex(
    ({ text }, index) => verb.test(text) && !/^OR$/i.test(words[index - 1]?.text ?? ''),
  );
  const [first, last] = [words?.[start ?? -1], words?.at(-1)];
  return first && last && { from: rangeOf(first).from, to: rangeOf(last).to };
}

/** As this operator writes it. ABORT is the default; FAIL and ROLLBACK are not among its replacements. */
function resolutionOf({ orConflict }: InsertStmt | UpdateStmt): string {
  return orConflict === undefined || orConflict === 'Abort' ? '' : ` OR ${orConflict.toUpperCase()}`;
}

function* otherUpserts(
  sql: string,
  tree: InsertStmt | UpdateStmt,
  upsert: Upsert,
  columnsOf: Knowledge['columnsOf'],
): Generator<Mutation> {
  const action = actionOf(sql, upsert);
  if (!action) return;
  yield dropped(sql, withSpaceBefore(sql, { from: rangeOf(upsert).from, to: action.to }));
  if (upsert.doClause.type === 'SetUpsertDo') {
    yield replaced(sql, action, 'DO NOTHING');
    return;
  }
  const targets = upsert.index?.targets.map(({ expr }) => columnNamed(expr)) ?? [];
  const keys = tree.type === 'InsertStmt' ? columnsOf(unquoted(tree.tblName.objName.text)) : [];
  const inKey = keys.filter(({ inPrimaryKey }) => inPrimaryKey).map(({ name }) => name);
  const columns = columnsFilled(tree, columnsOf).filter((name) => ![...targets, ...inKey].includes(name));
  if (columns.length === 0) return;
  yield replaced(
    sql,
    action,
    `DO UPDATE SET ${columns.map((name) => `${name} = excluded.${name}`).join(', ')}`,
  );
}

/** From DO to the end of the clause; a node of the parser reaches to the end of all that follows. */
function actionOf(sql: string, { doClause, next }: Upsert): Range | undefined {
  const start = wordsAfter(sql, rangeOf(doClause).from, 'DO');
  if (!start) return undefined;
  if (doClause.type === 'NothingUpsertDo') {
    const nothing = wordsAfter(sql, start.to, 'NOTHING');
    return nothing && { from: start.from, to: nothing.to };
  }
  const last = doClause.whereClause ?? doClause.sets.at(-1);
  return last && !next ? { from: start.from, to: rangeOf(last).to } : undefined;
}
