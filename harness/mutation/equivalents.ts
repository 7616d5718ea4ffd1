import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { textOf } from './base.ts';
import type { Candidate } from './candidates.ts';
import { equivalentsFile, type ReferenceLanguage, yamlParser } from './mutants.ts';

/** An operator's mutant that nothing can tell from the original, as it is listed. */
export interface Equivalent {
  readonly language: ReferenceLanguage;
  readonly file: string;
  readonly operator: string;
  /** Occurs once in the file, and contains what the operator changes. */
  readonly context: string;
  readonly original: string;
  readonly replacement: string;
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
export function means(entry: Equivalent, { base, operator, changes }: Candidate): boolean {
  const [change, another] = changes;
  if (!change || another) return false;
  const { language, file, original, replacement } = entry;
  const same =
    base.language === language &&
    operator === entry.operator &&
    change.file === file &&
    change.original === original &&
    change.replacement === replacement;
  return same && isWithin(entry.context, textOf(base, file) ?? '', change.start);
}

/** Whether a place of the text is within the one occurrence of the context. */
function isWithin(
  context: string,
  text: string,
  { line, column }: { line: number; column: number },
): boolean {
  const start = text.indexOf(context);
  if (start < 0 || text.includes(context, start + 1)) return false;
  const lines = text.split('\n').slice(0, line - 1);
  const offset = lines.reduce((sum, { length }) => sum + length + 1, column - 1);
  return start <= offset && offset <= start + context.length;
}
