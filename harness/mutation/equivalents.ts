import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { textOf } from './base.ts';
import type { Candidate } from './candidates.ts';
import { equivalentsFile, patched, type ReferenceLanguage, yamlParser } from './mutants.ts';

/** A mutant of an operator, or all that it makes in a place, that nothing can tell from the original, as it is listed. */
export interface Equivalent {
  readonly language: ReferenceLanguage;
  readonly file: string;
  readonly operator: string;
  /** Occurs once in the file, and contains what the operator changes. */
  readonly context: string;
  /** From the first to the last place that differs, before and after; left out, whatever the operator changes there. */
  readonly original?: string;
  readonly replacement?: string;
  readonly reason: string;
}

/** The equivalents listed in a folder of mutants; none where it has no such list. Throws a {@link MutantFileError}. */
export function loadEquivalents(folder: string): readonly Equivalent[] {
  const file = path.join(folder, equivalentsFile);
  if (!existsSync(file)) return [];
  return equivalentsParser()(readFileSync(file, 'utf8'), equivalentsFile);
}

/** Reads the text of a list of equivalents; `name` is what errors call it. Throws a {@link MutantFileError}. */
export function equivalentsParser(): (text: string, name: string) => readonly Equivalent[] {
  return yamlParser<readonly Equivalent[]>('mutants/equivalent.schema.json');
}

/** Whether the entry means this mutant. */
export function means(entry: Equivalent, { base, operator, patches }: Candidate): boolean {
  const [first] = patches;
  const last = patches.at(-1);
  if (!first || !last || base.language !== entry.language || operator !== entry.operator) return false;
  if (patches.some(({ file }) => file !== entry.file)) return false;
  const source = textOf(base, entry.file) ?? '';
  const start = source.indexOf(entry.context);
  if (start < 0 || source.includes(entry.context, start + 1)) return false;
  if (first.from < start || last.to > start + entry.context.length) return false;
  const { from } = first;
  const inside = patches.map((patch) => ({ ...patch, from: patch.from - from, to: patch.to - from }));
  const original = source.slice(from, last.to);
  const isAsListed = (listed: string | undefined, text: string) => listed === undefined || listed === text;
  return isAsListed(entry.original, original) && isAsListed(entry.replacement, patched(original, inside));
}
