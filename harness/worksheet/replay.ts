import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { Bench, type Event } from '../bench.ts';
import { type Clause, Mismatch } from '../contract.ts';
import type { Run } from '../lane.ts';
import { literal } from '../literal.ts';
import type { Texts } from '../messages/texts.ts';
import type { AnyLab } from '../registry.ts';
import { tellFailure } from '../report/failure.ts';
import { Narrator, shortened } from '../report/narrate.ts';
import type { FailureReport } from '../report/report.ts';
import { newPlaces } from '../scratch.ts';
import { SubjectFailure } from '../subject/subject.ts';
import { openSubject } from '../subject/submission.ts';
import { isList, Tuple, type Value } from '../value.ts';

/** Rows of one table that a reader is shown. */
const mostRows = 12;

/** A failing case as it went the second time, and what it left: a row a line. */
export interface Replayed {
  readonly failure: FailureReport;
  /** Undefined where the case changes no database. */
  readonly state: readonly string[] | undefined;
}

/** Runs a failing case once more. Undefined where it cannot be, or does not fail again. */
export async function replay(
  lab: AnyLab,
  clause: Clause<unknown>,
  run: Omit<Run, 'runs'>,
  failure: FailureReport,
  texts: Texts,
): Promise<Replayed | undefined> {
  const { seed, path } = failure;
  if (path === null) return undefined;
  const { entry } = run.submission;
  const places = newPlaces(run.folder, run.confinement.user);
  const subject = openSubject(run.submission, places.shared, run.confinement)();
  const { language, scripts } = subject;
  const title = () => clause.statement;
  const { tongue } = texts;
  const setting = { language, tongue, entry, title, hint: failure.hint, scripts };
  const newBench = () => {
    const deadline = performance.now() + run.callLimit;
    return new Bench(subject, places, { call: run.callLimit, deadline }, true);
  };
  let replayed: Replayed | undefined;
  const prepared = newBench();
  try {
    const scene = await lab.prepare(prepared);
    const property = fc.asyncProperty(fc.record(clause.arbitraries), async (drawn) => {
      const bench = newBench();
      try {
        await clause.predicate(lab.open(bench, scene), drawn as never);
      } catch (reason) {
        if (!(reason instanceof Mismatch || reason instanceof SubjectFailure)) throw reason;
        const told = tellFailure({ trace: bench.trace, reason }, setting);
        replayed = { failure: { ...failure, ...told }, state: stateOf(bench, texts) };
      } finally {
        bench.close();
      }
    });
    await fc.check(property, { seed, path, endOnFailure: true, numRuns: 1 });
  } finally {
    prepared.close();
    await subject.close();
  }
  return replayed;
}

function stateOf(bench: Bench, texts: Texts): readonly string[] | undefined {
  if (!bench.trace.some(({ kind }) => kind === 'call')) return undefined;
  const { language, scripts } = bench.subject;
  const narrator = new Narrator(language, texts);
  const show = (value: Value) => shortened(literal(value, scripts ? 'python' : language, texts), texts);
  const databases = [...new Set(bench.trace.flatMap(databasesOf))].filter(existsSync);
  return databases.flatMap((database) => {
    const name = narrator.database(database);
    const tables = tablesOf(bench, database);
    return tables.flatMap((table) => {
      const rows = rowsOf(bench, database, table).map((row) => `(${row.map(show).join(', ')})`);
      const shown = rows.slice(0, mostRows);
      if (rows.length > mostRows) shown.push(`… ${rows.length - mostRows}`);
      const label = tables.length > 1 ? `${table}: ` : '';
      return shown.map((row) => {
        const told = `${label}${row}`;
        return name === 'path' ? told : texts.say('telling', 'rowIn', { row: told, database: name });
      });
    });
  });
}

/** The databases of a case: those that the grader laid out, and those that calls are given the path of. */
function databasesOf(event: Event): readonly string[] {
  if ('database' in event) return [event.database];
  return event.kind === 'call' ? event.call.args.map(String).filter((text) => text.endsWith('.db')) : [];
}

function tablesOf(bench: Bench, database: string): readonly string[] {
  const sql = String.raw`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'`;
  return tuples(bench.query(database, sql).seen).map(([name]) => String(name));
}

function rowsOf(bench: Bench, database: string, table: string): readonly (readonly Value[])[] {
  return tuples(bench.query(database, `SELECT * FROM "${table.replaceAll('"', '""')}"`).seen);
}

function tuples(seen: Value): readonly (readonly Value[])[] {
  return isList(seen) ? seen.flatMap((row) => (row instanceof Tuple ? [row.items] : [])) : [];
}
