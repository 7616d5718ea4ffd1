import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { save } from '../command-line.ts';
import { projectVersion } from '../project.ts';
import type { AnyLab } from '../registry.ts';
import type { Change, ClassEntry } from '../report/class.ts';
import { classPage } from '../report/class-page.ts';
import type { Scoring } from '../report/score.ts';
import { UsageError } from '../usage-error.ts';
import { changesBetween } from './changes.ts';
import { type ClassResult, latestOf, resultsIn } from './class-results.ts';
import { Pseudonyms } from './pseudonyms.ts';
import type { Pupil } from './roster.ts';
import { changesTable, namesTable, summaryTable } from './tables.ts';

export interface Outputs {
  readonly lab: AnyLab;
  readonly scoring: Scoring;
  readonly pupils: readonly Pupil[];
  readonly entries: readonly ClassResult[];
  /** Of an earlier run. */
  readonly before: ReadonlyMap<string, ClassResult> | undefined;
  readonly folder: string;
  /** A folder for sharing is made, too. */
  readonly anonymous: boolean;
}

/** Writes what a class comes to, and returns whose verdict changed. Throws where the folder cannot be written to. */
export function writeOutputs(outputs: Outputs): readonly Change[] | undefined {
  const { pupils, entries, before, folder, anonymous } = outputs;
  const changes = before && changesBetween(before, latestOf(entries));
  write(outputs, folder, entries, changes);
  if (!anonymous) return changes;
  const pseudonyms = new Pseudonyms(path.join(folder, 'pseudonyms.key'));
  const named = pupils.map(({ name }): [string, string] => [name, pseudonyms.of(name)]);
  save(path.join(folder, 'names.csv'), namesTable(new Map(named)));
  const shared = path.join(folder, 'anonymous');
  mkdirSync(shared, { recursive: true });
  const nameless = pseudonyms.entries(pupils, entries);
  const lines = nameless.map((entry): ClassResult => ({ schemaVersion: 1, ...entry }));
  save(path.join(shared, 'results.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'));
  write(outputs, shared, nameless, changes && pseudonyms.changes(changes));
  return changes;
}

function write(
  { lab, scoring }: Outputs,
  folder: string,
  entries: readonly ClassEntry[],
  changes: readonly Change[] | undefined,
): void {
  const options = { lab, when: new Date(), version: projectVersion(), ...(changes && { changes }) };
  save(path.join(folder, 'summary.csv'), summaryTable(entries, lab, scoring));
  save(path.join(folder, 'report.html'), classPage(entries, options));
  if (changes) save(path.join(folder, 'changes.csv'), changesTable(changes));
}

/** The results of an earlier run, by its folder or its file. Throws a {@link UsageError} where there are none. */
export function earlierResults(old: string): ReadonlyMap<string, ClassResult> {
  const isFolder = statSync(old, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const results = resultsIn(isFolder ? path.join(old, 'results.jsonl') : old);
  if (results && results.size > 0) return results;
  throw new UsageError(
    `--compare ${old}: holds no results; name the folder of an earlier run, or its results.jsonl`,
  );
}
