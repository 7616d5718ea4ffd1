import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { projectFile } from '../project.ts';

/** A submission made wrong on purpose, as data: how the reference is edited, and which clause must notice. */
export interface Mutant {
  readonly id: string;
  /** The step that must catch it; those before must not mind. */
  readonly step: number;
  /** The clause of that step that must catch it; others may, too. */
  readonly clause: string;
  /** From the lab's own worksheet, or from what goes wrong in the field. */
  readonly origin: 'worksheet' | 'field';
  /** One sentence: what it does, and why that is wrong. */
  readonly why: string;
  /** Edits of the reference in that language. A language in which the mistake cannot be made is left out. */
  readonly edits: { readonly [L in ReferenceLanguage]?: readonly Edit[] };
}

/** Languages in which there is a reference, and the extension of its entry file. */
export const referenceLanguages = { python: '.py', typescript: '.ts' } as const;

export type ReferenceLanguage = keyof typeof referenceLanguages;

/** Puts `replacement` where `anchor` stands, which is at one place of the file only. */
export interface Edit {
  /** The file of the submission that is edited; its entry file where none is named. */
  readonly file?: string;
  readonly anchor: string;
  readonly replacement: string;
}

/** A file of mutants that says something that cannot be. */
export class MutantFileError extends Error {}

/** The mutants of a lab, from all its files. Throws a {@link MutantFileError} that names the file. */
export function loadMutants(lab: string): readonly Mutant[] {
  const folder = projectFile(path.join('mutants', lab));
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  const parseFile = mutantFileParser();
  const mutants = files.flatMap((name) => parseFile(readFileSync(path.join(folder, name), 'utf8'), name));
  const ids = mutants.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice) throw new MutantFileError(`mutants/${lab}: two mutants are named ${twice}`);
  return mutants;
}

/**
 * Reads the text of one file of mutants; `name` is what errors call it. Throws a {@link MutantFileError} where it is
 * no YAML, not as mutants.schema.json says, or names a clause of another step.
 */
export function mutantFileParser(): (text: string, name: string) => readonly Mutant[] {
  const ajv = new Ajv({ allErrors: true });
  const valid = ajv.compile<readonly Mutant[]>(
    JSON.parse(readFileSync(projectFile('mutants/mutants.schema.json'), 'utf8')),
  );
  return (text, name) => {
    const content = parseYaml(text, name);
    if (!valid(content))
      throw new MutantFileError(ajv.errorsText(valid.errors, { dataVar: name, separator: '; ' }));
    for (const { id, step, clause } of content) {
      if (!clause.startsWith(`${step}.`))
        throw new MutantFileError(`${name}: ${id} is of step ${step}, its clause ${clause} is not`);
    }
    return content;
  };
}

function parseYaml(text: string, name: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new MutantFileError(`${name}: ${(error as Error).message}`);
  }
}

/** The reference submission of a lab, which mutants are made of. `entry` is the entry file's name without extension. */
export function referenceSource(lab: string, entry: string, language: ReferenceLanguage): string {
  return readFileSync(projectFile(path.join('reference', lab, entry + referenceLanguages[language])), 'utf8');
}

export type EditProblem = 'anchor gone' | 'anchor twice' | 'edits overlap' | 'nothing changes';

/** The edits do not fit the source. */
export class EditError extends Error {
  readonly problem: EditProblem;
  constructor(problem: EditProblem, anchor: string) {
    super(`${problem}: ${anchor}`);
    this.problem = problem;
  }
}

/** The source with the edits made, all of them to the source as given, of one file. Throws an {@link EditError}. */
export function applyEdits(source: string, edits: readonly Edit[]): string {
  const placed = edits
    .map((edit) => ({ ...edit, start: placeOf(edit.anchor, source) }))
    .sort((a, b) => a.start - b.start);
  let edited = '';
  let done = 0;
  for (const { anchor, replacement, start } of placed) {
    if (start < done) throw new EditError('edits overlap', anchor);
    if (replacement === anchor) throw new EditError('nothing changes', anchor);
    edited += source.slice(done, start) + replacement;
    done = start + anchor.length;
  }
  return edited + source.slice(done);
}

function placeOf(anchor: string, source: string): number {
  const start = source.indexOf(anchor);
  if (start < 0) throw new EditError('anchor gone', anchor);
  if (source.includes(anchor, start + 1)) throw new EditError('anchor twice', anchor);
  return start;
}
