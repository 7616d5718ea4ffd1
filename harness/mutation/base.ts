import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { placesOf } from '../lab-places.ts';
import { submissionOf } from '../locate.ts';
import type { AnyLab } from '../registry.ts';
import { scriptName } from '../subject/scripts.ts';
import { findSubmission, type Submission } from '../subject/submission.ts';
import { UsageError } from '../usage-error.ts';
import type { ReferenceLanguage } from './mutants.ts';

/** A correct submission: it has to pass, and mutants are made of it. Plain data: threads are told it. */
export interface Base {
  /** `reference/python`, `variant/wal-and-back`. */
  readonly name: string;
  /** `typescript` stands for all that Node runs. */
  readonly language: ReferenceLanguage;
  /** The name of its entry file. */
  readonly entry: string;
  /** Where its files lie, by their paths in the submission's folder. */
  readonly files: Readonly<Record<string, string>>;
  /** Those of its own files that clauses run, which operators make mutants of. Scripts that make files are not run. */
  readonly contracted: readonly string[];
}

/** Files of a submission by their paths in its folder, with texts that are not those of its base. */
export type Edited = Readonly<Record<string, string>>;

const extensions: Readonly<Record<ReferenceLanguage, readonly string[]>> = {
  python: ['.py'],
  typescript: ['.ts', '.mts', '.js', '.mjs'],
};

/** The reference in a language: of its folder the files, but those of other languages. */
export function referenceBase(lab: AnyLab, language: ReferenceLanguage): Base {
  const folder = placesOf(lab.id).reference;
  const names = referenceFiles(folder, language);
  const entry = names.find((name) => isEntry(name, lab, language));
  if (!entry) throw new UsageError(`${lab.id}: there is no reference in ${language}; add one to ${folder}`);
  const contracted = lab.kind === 'functions' ? names : [entry];
  return { name: `reference/${language}`, language, entry, files: located(folder, names), contracted };
}

/** The languages in which a lab has a reference. Throws a {@link UsageError} where it has none at all. */
export function languagesOf(lab: AnyLab): readonly ReferenceLanguage[] {
  const folder = placesOf(lab.id).reference;
  const languages = (['python', 'typescript'] as const).filter((language) =>
    referenceFiles(folder, language).some((name) => isEntry(name, lab, language)),
  );
  if (languages.length > 0) return languages;
  throw new UsageError(`${lab.id}: there is no reference; add ${path.join(folder, `${lab.entry}.py`)}`);
}

function referenceFiles(folder: string, language: ReferenceLanguage): readonly string[] {
  if (!existsSync(folder)) return [];
  const other = language === 'python' ? extensions.typescript : extensions.python;
  return readdirSync(folder, { withFileTypes: true })
    .filter((file) => file.isFile() && !other.includes(path.extname(file.name)))
    .map(({ name }) => name);
}

/** The correct but unusual submissions that come with a lab. */
export function variantBases(lab: AnyLab): readonly Base[] {
  const folder = path.join(placesOf(lab.id).reference, 'variants');
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((name) => folderBase(lab, `variant/${name}`, path.join(folder, name)));
}

/** Somebody's own submission, by its folder or its entry file. Throws a {@link UsageError} that names the option. */
export function ownBase(lab: AnyLab, place: string, option: string): Base {
  return folderBase(lab, `variant/${path.basename(path.resolve(place))}`, place, option);
}

/** What a folder of scripts leaves out is taken from the reference: its steps' files need not be made again. */
function folderBase(lab: AnyLab, name: string, place: string, option = '--variant'): Base {
  const found = findSubmission(place, lab.entry);
  if (found.status !== 'found') {
    const what = found.status === 'ambiguous' ? `both ${found.names.join(' and ')}` : 'no entry file';
    throw new UsageError(
      `${option} ${place}: there is ${what}; name the folder of ${lab.entry}.py or the file`,
    );
  }
  const language = found.kind === 'python' ? 'python' : 'typescript';
  const folder = path.dirname(found.entry);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => !file.includes('__pycache__') && statSync(path.join(folder, file)).isFile(),
  );
  const own = located(folder, names);
  const reference = placesOf(lab.id).reference;
  const files =
    lab.kind === 'scripts' ? { ...located(reference, referenceFiles(reference, language)), ...own } : own;
  const makers = Object.values(lab.products ?? {}).map(({ script }) => script);
  const contracted = names.filter((file) => !makers.includes(scriptName(file)));
  return { name, language, entry: path.basename(found.entry), files, contracted };
}

/** The text of a file of a base; undefined where it has none of that name. */
export function textOf(base: Base, file: string): string | undefined {
  const place = base.files[file];
  return place === undefined ? undefined : readFileSync(place, 'utf8');
}

/** Writes the base to a folder of its own, edited, and returns it as a submission. */
export function writeSubmission(
  lab: AnyLab,
  base: Base,
  edited: Edited,
  folder: string,
  interpreter: string,
): Submission {
  for (const [file, place] of Object.entries(base.files)) {
    const target = path.join(folder, file);
    mkdirSync(path.dirname(target), { recursive: true });
    const text = edited[file];
    if (text === undefined) copyFileSync(place, target);
    else writeFileSync(target, text);
  }
  const entry = path.join(folder, base.entry);
  return submissionOf(lab, folder, entry, base.language === 'python', interpreter);
}

function isEntry(name: string, lab: AnyLab, language: ReferenceLanguage): boolean {
  return scriptName(name) === lab.entry && extensions[language].includes(path.extname(name));
}

function located(folder: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, path.join(folder, name)]));
}
