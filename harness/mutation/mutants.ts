import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { placesOf } from '../lab-places.ts';
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

/** The one file of such a folder that holds no mutants: those of operators that nothing can tell from the original. */
export const equivalentsFile = 'equivalent.yaml';

/** Where the mutants of a lab lie. */
export function mutantsFolder(lab: string): string {
  return placesOf(lab).mutants;
}

/** The mutants of all files of a folder. Throws a {@link MutantFileError} that names the file. */
export function loadMutants(folder: string): readonly Mutant[] {
  if (!existsSync(folder))
    throw new MutantFileError('there is no such folder; add it, with a *.yaml of mutants');
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml') && name !== equivalentsFile);
  const parseFile = mutantFileParser();
  const mutants = files.flatMap((name) => parseFile(readFileSync(path.join(folder, name), 'utf8'), name));
  const ids = mutants.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice) throw new MutantFileError(`two mutants are named ${twice}`);
  return mutants;
}

/**
 * Reads the text of one file of mutants; `name` is what errors call it. Throws a {@link MutantFileError} where it is
 * no YAML, not as mutants.schema.json says, or names a clause of another step.
 */
export function mutantFileParser(): (text: string, name: string) => readonly Mutant[] {
  const parseValid = yamlParser<readonly Mutant[]>('mutants/mutants.schema.json');
  return (text, name) => {
    const mutants = parseValid(text, name);
    for (const { id, step, clause } of mutants) {
      if (!clause.startsWith(`${step}.`))
        throw new MutantFileError(`${name}: ${id} is of step ${step}, its clause ${clause} is not`);
    }
    return mutants;
  };
}

/** Reads YAML that keeps a schema, which is a file of the project. The parser throws a {@link MutantFileError}. */
export function yamlParser<T>(schema: string): (text: string, name: string) => T {
  const ajv = new Ajv({ allErrors: true });
  const valid = ajv.compile<T>(JSON.parse(readFileSync(projectFile(schema), 'utf8')));
  return (text, name) => {
    const content = parseYaml(text, name);
    if (!valid(content))
      throw new MutantFileError(ajv.errorsText(valid.errors, { dataVar: name, separator: '; ' }));
    return content;
  };
}

function parseYaml(text: string, name: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    const [line] = (error as Error).message.split('\n');
    throw new MutantFileError(`${name}: ${line}`);
  }
}

/** The reference submission of a lab, which mutants are made of. `entry` is the entry file's name without extension. */
export function referenceSource(lab: string, entry: string, language: ReferenceLanguage): string {
  return readFileSync(path.join(placesOf(lab).reference, entry + referenceLanguages[language]), 'utf8');
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

/** A piece of a source, and what stands in its place. `from` and `to` are offsets; the end is exclusive. */
export interface Patch {
  readonly from: number;
  readonly to: number;
  readonly replacement: string;
}

/** Where the edits of one file fall, in its order. Throws an {@link EditError}. */
export function placeEdits(source: string, edits: readonly Edit[]): readonly Patch[] {
  const placed = edits
    .map(({ anchor, replacement }) => {
      if (replacement === anchor) throw new EditError('nothing changes', anchor);
      const from = placeOf(anchor, source);
      return { from, to: from + anchor.length, replacement, anchor };
    })
    .sort((a, b) => a.from - b.from);
  for (const [index, { from, anchor }] of placed.entries()) {
    if (from < (placed[index - 1]?.to ?? 0)) throw new EditError('edits overlap', anchor);
  }
  return placed.map(({ from, to, replacement }) => ({ from, to, replacement }));
}

/** The source with the patches made, which do not overlap and are in its order. */
export function patched(source: string, patches: readonly Patch[]): string {
  let text = '';
  let done = 0;
  for (const { from, to, replacement } of patches) {
    text += source.slice(done, from) + replacement;
    done = to;
  }
  return text + source.slice(done);
}

/** The source with the edits made, all of them to the source as given, of one file. Throws an {@link EditError}. */
export function applyEdits(source: string, edits: readonly Edit[]): string {
  return patched(source, placeEdits(source, edits));
}

function placeOf(anchor: string, source: string): number {
  const start = source.indexOf(anchor);
  if (start < 0) throw new EditError('anchor gone', anchor);
  if (source.includes(anchor, start + 1)) throw new EditError('anchor twice', anchor);
  return start;
}
