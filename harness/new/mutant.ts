import { stringify } from 'yaml';
import { placesOf } from '../lab-places.ts';
import { languagesOf, referenceBase, textOf } from '../mutation/base.ts';
import {
  applyEdits,
  type Edit,
  EditError,
  loadMutants,
  type Mutant,
  MutantFileError,
  mutantFileParser,
  type ReferenceLanguage,
} from '../mutation/mutants.ts';
import type { AnyLab } from '../registry.ts';
import { UsageError } from '../usage-error.ts';
import { shown, writeNew } from './files.ts';
import { requireSources } from './ours.ts';

/** What is wrong with a mutant, and who has to notice. */
export interface MutantFlags {
  readonly clause: string;
  readonly anchor: string;
  readonly replacement: string;
  readonly why: string;
  readonly language?: ReferenceLanguage;
  /** Of the reference; undefined means its entry file. */
  readonly file?: string;
}

/** Writes one mutant to a file of its name. Throws a {@link UsageError} where it could not be put to the test. */
export function newMutant(name: string, lab: AnyLab, flags: MutantFlags): void {
  requireSources(lab);
  const { clause, anchor, replacement, why, file } = flags;
  const language = flags.language ?? languagesOf(lab)[0] ?? 'python';
  const step = lab.steps.find(({ clauses }) => clauses.some(({ id }) => id === clause));
  if (!step)
    throw new UsageError(`--clause ${clause}: ${lab.id} has no such clause; it has ${clausesOf(lab)}`);
  const edit: Edit = { ...(file === undefined ? {} : { file }), anchor, replacement };
  const mutant: Mutant = {
    ...{ id: name, step: step.number, clause, origin: 'field', why },
    edits: { [language]: [edit] },
  };
  const { mutants } = placesOf(lab.id);
  requireFit(lab, language, edit);
  requireNew(name, mutants);
  const text = stringify([mutant], { lineWidth: 0 });
  try {
    mutantFileParser()(text, `${name}.yaml`);
  } catch (error) {
    if (error instanceof MutantFileError) throw new UsageError(`${error.message}; mend the option`);
    throw error;
  }
  writeNew(mutants, { [`${name}.yaml`]: text });
}

function clausesOf(lab: AnyLab): string {
  return lab.steps.flatMap(({ clauses }) => clauses.map(({ id }) => id)).join(', ');
}

/** Throws a {@link UsageError} where the edit does not fit the reference. */
function requireFit(lab: AnyLab, language: ReferenceLanguage, edit: Edit): void {
  const base = referenceBase(lab, language);
  const file = edit.file ?? base.entry;
  const source = textOf(base, file);
  if (source === undefined)
    throw new UsageError(`--file ${file}: the reference has no such file; name one that it has`);
  try {
    applyEdits(source, [edit]);
  } catch (error) {
    if (error instanceof EditError)
      throw new UsageError(
        `--anchor: ${error.message}; give a text that stands once in the reference's ${file}, and another replacement`,
      );
    throw error;
  }
}

/** Throws a {@link UsageError} where another file has a mutant of that name. */
function requireNew(name: string, folder: string): void {
  let known: readonly Mutant[];
  try {
    known = loadMutants(folder);
  } catch (error) {
    if (error instanceof MutantFileError) return; // there is none yet, or validate says what is wrong
    throw error;
  }
  if (known.some(({ id }) => id === name))
    throw new UsageError(`${name}: there is such a mutant in ${shown(folder)}; choose another name`);
}
