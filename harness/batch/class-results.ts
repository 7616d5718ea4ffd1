import { existsSync } from 'node:fs';
import { JsonLines } from '../json-lines.ts';
import type { Report } from '../report/report.ts';

/** By what a result is known: hashes. One is as good as another as long as all three are the same. */
export interface ResultKey {
  readonly submission: string;
  readonly checks: string;
  readonly options: string;
}

/** A line of results.jsonl; its JSON Schema is class-result.schema.json. */
export interface ClassResult {
  readonly schemaVersion: 1;
  readonly name: string;
  /** Left out where results are for sharing: it tells whose submission it is. */
  readonly key?: ResultKey;
  readonly report: Report;
}

/** The results of a class, in a file that grows as they come. Of several lines of a name the last one counts. */
export class ClassResults {
  readonly #file: JsonLines<ClassResult>;
  readonly #latest = new Map<string, ResultKey | undefined>();

  /** Throws where the file can be neither read nor written. */
  constructor(file: string) {
    this.#file = new JsonLines(file);
    for (const { name, key, report } of this.#file.lines())
      this.#latest.set(name, report.verdict === 'undecided' ? undefined : key);
  }

  /** Whether this very submission has a verdict: what could not be judged is tried again. */
  has(name: string, key: ResultKey): boolean {
    const known = this.#latest.get(name);
    return known !== undefined && sameParts(known, key).length === 3;
  }

  add(result: ClassResult): void {
    this.#file.add(result);
    this.#latest.set(result.name, result.key);
  }

  /** The latest of each of these names, in their order. */
  of(names: readonly string[]): readonly ClassResult[] {
    const known = latestOf(this.#file.lines());
    return names.flatMap((name) => known.get(name) ?? []);
  }
}

/** The latest result of each name. */
export function latestOf(results: Iterable<ClassResult>): ReadonlyMap<string, ClassResult> {
  return new Map([...results].map((result) => [result.name, result]));
}

/** Reads the results that a file holds; undefined where there is none. */
export function resultsIn(file: string): ReadonlyMap<string, ClassResult> | undefined {
  return existsSync(file) ? latestOf(JsonLines.read<ClassResult>(file)) : undefined;
}

/** Which parts are the same. */
export function sameParts(a: ResultKey, b: ResultKey): readonly (keyof ResultKey)[] {
  return (['submission', 'checks', 'options'] as const).filter((part) => a[part] === b[part]);
}
