import path from 'node:path';
import type { SourceChange } from '../validation.ts';
import { stringsByColumn } from './columns.ts';
import { driverTransactions } from './driver-transactions.ts';
import { droppedTransactions } from './dropped-transactions.ts';
import { type Change, edited, type SqlEdit, sourceChanges } from './edits.ts';
import type { Knowledge, Mutation } from './operator.ts';
import { sqlOperators } from './operators.ts';
import { Judge } from './outlook.ts';
import { shown } from './phrases.ts';
import { changeOf, placeAt } from './places.ts';
import { type Files, readSubmission, type Statement } from './statements.ts';

/** A submission made wrong in its SQL, by an operator. */
export interface SqlMutant {
  /**
   * Unique within the submission, and the same every time: `ror-service.py-18-2`, the second of that operator in line
   * 18.
   */
  readonly id: string;
  /** As the literature names it. */
  readonly operator: string;
  /** One sentence. */
  readonly why: string;
  /** In the order of the source. They do not overlap; all of them are made at once. */
  readonly changes: readonly Change[];
  /** What SQLite, or the driver, says against it: it would be refused before it does anything. */
  readonly stillborn?: string;
}

/**
 * All mutants of a submission's SQL, in the order of files and places. `files` are its sources by relative path;
 * those in other languages than Python, TypeScript, JavaScript and SQL are passed over. `given` is SQL that creates
 * what is there before the submission: the lab's own tables. None changes nothing, none is
 * the same program as before, as far as SQLite shows, and no two are the same source.
 */
export function sqlMutants(files: Files, given = ''): readonly SqlMutant[] {
  const submission = readSubmission(files, given);
  const judge = new Judge(submission);
  try {
    const knowledge = knowledgeOf(submission.statements, judge);
    const found = [
      ...submission.statements.flatMap((statement) => ofOneStatement(statement, knowledge, judge)),
      ...droppedTransactions(submission.statements).map(({ changes, what, at }) => ({
        operator: 'TXN',
        why: sentence(what, at, [{ from: 0, to: at.sql.length, text: '' }]),
        changes: merged(changes),
      })),
      ...driverTransactions(files).map((mutation) => ({ operator: 'TXN', ...mutation })),
    ];
    return named(unique(found, files), files);
  } finally {
    judge.close();
  }
}

/** The files with a mutant's changes made. */
export function applyChanges(files: Files, mutant: Pick<SqlMutant, 'changes'>): Files {
  return { ...files, ...changedFiles(files, mutant) };
}

function changedFiles(files: Files, { changes }: Pick<SqlMutant, 'changes'>): Files {
  const names = [...new Set(changes.map(({ file }) => file))];
  return Object.fromEntries(
    names.map((name) => {
      const own = changes.filter(({ file }) => file === name);
      const edits = own.map(({ from, to, replacement }) => ({ from, to, text: replacement }));
      return [name, edited(files[name] ?? '', edits)];
    }),
  );
}

/** A mutant's changes as a result shows them: by line and column. */
export function sourceChangesOf(
  files: Files,
  { changes }: Pick<SqlMutant, 'changes'>,
): readonly SourceChange[] {
  return changes.map((change) => changeOf(files[change.file] ?? '', change));
}

type Anonymous = Omit<SqlMutant, 'id'>;

function knowledgeOf(statements: readonly Statement[], { schema }: Judge): Knowledge {
  const columnsOf = (table: string) => schema.columnsOf(table);
  const strings = stringsByColumn(
    statements.map(({ tree }) => tree),
    columnsOf,
  );
  return { columnsOf, stringsOf: (column) => strings.get(column) ?? [] };
}

function ofOneStatement(statement: Statement, knowledge: Knowledge, judge: Judge): readonly Anonymous[] {
  const programs = new Set<string>();
  return sqlOperators.flatMap(({ name, mutate }) =>
    [...mutate(statement, knowledge)].flatMap((mutation) => {
      const changes = changesOf(statement, mutation);
      const outlook = judge.outlook(statement, mutation.edits);
      if (!changes || outlook.status === 'equivalent') return [];
      const mutant = { operator: name, why: sentence(mutation.what, statement, mutation.edits), changes };
      if (outlook.status === 'stillborn') return [{ ...mutant, stillborn: outlook.reason }];
      if (outlook.program !== undefined && programs.has(outlook.program)) return [];
      if (outlook.program !== undefined) programs.add(outlook.program);
      return [mutant];
    }),
  );
}

/** Undefined where the mutation concerns a hole, or what its literal cannot say. */
function changesOf({ text, from: start }: Statement, { edits }: Mutation): readonly Change[] | undefined {
  const placed = edits.map(({ from, to, text: replacement }) => ({
    from: from + start,
    to: to + start,
    text: replacement,
  }));
  const changes = sourceChanges(text, placed);
  return changes && merged(changes);
}

/** In the order of the source; the same change twice, of a fragment that stands twice in a statement, is one. */
function merged(changes: readonly Change[]): readonly Change[] {
  const distinct = new Map(changes.map((change) => [JSON.stringify(change), change]));
  return [...distinct.values()].sort(
    (a, b) => a.file.localeCompare(b.file) || a.from - b.from || a.to - b.to,
  );
}

/** Without those that make a source that another has made before, or overlap within. */
function unique(mutants: readonly Anonymous[], files: Files): readonly Anonymous[] {
  const seen = new Set<string>();
  return mutants.filter((mutant) => {
    const key = JSON.stringify(changedFiles(files, mutant));
    if (seen.has(key) || overlaps(mutant.changes)) return false;
    seen.add(key);
    return true;
  });
}

function overlaps(changes: readonly Change[]): boolean {
  return changes.some((change, index) => {
    const before = changes[index - 1];
    return before?.file === change.file && before.to > change.from;
  });
}

function named(mutants: readonly Anonymous[], files: Files): readonly SqlMutant[] {
  const inOrder = [...mutants].sort((a, b) => {
    const [first, second] = [a.changes[0], b.changes[0]];
    return first && second ? first.file.localeCompare(second.file) || first.from - second.from : 0;
  });
  const counts = new Map<string, number>();
  return inOrder.map((mutant) => {
    const [{ file, from } = { file: '', from: 0 }] = mutant.changes;
    const { line } = placeAt(files[file] ?? '', from);
    const stem = `${mutant.operator.toLowerCase()}-${file.split(path.sep).join('-')}-${line}`;
    const count = (counts.get(stem) ?? 0) + 1;
    counts.set(stem, count);
    return { id: `${stem}-${count}`, ...mutant };
  });
}

/** "`<=` becomes `<` in `… expires <= ? ORDER BY …`." */
function sentence(what: string, { sql }: Statement, edits: readonly SqlEdit[]): string {
  const [from, to] = [Math.min(...edits.map((edit) => edit.from)), Math.max(...edits.map((edit) => edit.to))];
  const start = wordStart(sql, from - surroundings);
  const end = wordEnd(sql, to + surroundings);
  const excerpt = shown(`${start > 0 ? '… ' : ''}${sql.slice(start, end)}${end < sql.length ? ' …' : ''}`);
  return `${what.charAt(0).toUpperCase()}${what.slice(1)} in \`${excerpt}\`.`;
}

/** Characters of a statement that are shown before and after an edit, up to the next word. */
const surroundings = 20;

function wordStart(sql: string, at: number): number {
  return at <= 0 ? 0 : at + Math.max(0, sql.slice(at).search(/(?<=\s)\S/));
}

function wordEnd(sql: string, at: number): number {
  const space = sql.slice(at).search(/\s/);
  return at >= sql.length || space < 0 ? sql.length : at + space;
}
