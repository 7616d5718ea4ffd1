import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { globSync, isDynamicPattern } from 'tinyglobby';
import type { AnyLab } from '../registry.ts';
import { codeEndings, entryNames, isFile } from '../subject/submission.ts';
import { UsageError } from '../usage-error.ts';

/** A submission of a class. */
export interface Pupil {
  /** Its path, from the folder that all of the class have in common. */
  readonly name: string;
  /** A folder, or an entry file. */
  readonly place: string;
  /** A file among others' files: it is judged without what lies beside it. */
  readonly isAlone: boolean;
}

/** Folders that are no submissions, whatever lies there. */
const noSubmissions = new Set(['node_modules', '__pycache__']);

/**
 * The submissions that are meant, ordered by their names. A folder with an entry file is one, any other folder holds some; a
 * pattern names them, and so does a text file, by a path a line, from its own folder. Throws a {@link UsageError}.
 */
export function rosterOf(lab: AnyLab, asked: readonly string[]): readonly Pupil[] {
  // A pattern that the shell has spelled out: a folder without an entry file is a submission that has none.
  const isEach = asked.some((each) => isFolder(each) && entriesIn(lab, each).length > 0);
  const places = asked.flatMap((each) => {
    if (isFolder(each)) return isEach ? [each] : submissionsIn(each);
    if (isFile(each)) return isCode(each) ? [each] : listed(each);
    return matching(each);
  });
  const unique = [...new Set(places.map((place) => wholeOf(lab, path.resolve(place))))];
  if (unique.length === 0)
    throw new UsageError(
      `${asked.join(' ')}: no submissions; name folders, entry files, a pattern or a list`,
    );
  const base = commonFolder(unique);
  return unique
    .map((place): Pupil => {
      const isAlone = isFile(place) && !isNamedAsEntry(lab, place);
      const named = isNamedAsEntry(lab, place) ? path.dirname(place) : place;
      return { name: path.relative(base, named) || path.basename(named), place, isAlone };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function isFolder(place: string): boolean {
  try {
    return statSync(place).isDirectory();
  } catch {
    return false; // it is not there, or a link to nothing or to itself
  }
}

function entriesIn(lab: AnyLab, folder: string): readonly string[] {
  return entryNames(lab.entry).filter((name) => isFile(path.join(folder, name)));
}

function isNamedAsEntry(lab: AnyLab, place: string): boolean {
  return isFile(place) && entryNames(lab.entry).includes(path.basename(place));
}

function isCode(file: string): boolean {
  return isFile(file) && codeEndings.includes(path.extname(file));
}

/** The folders and the code files in a folder. */
function submissionsIn(folder: string): readonly string[] {
  const places = readdirSync(folder)
    .filter((name) => !name.startsWith('.') && !noSubmissions.has(name))
    .map((name) => path.join(folder, name))
    .filter((place) => isFolder(place) || isCode(place));
  if (places.length > 0) return places;
  throw new UsageError(`${folder}: holds no submissions; name the folder that theirs lie in`);
}

function listed(file: string): readonly string[] {
  const lines = readFileSync(file, 'utf8').split(/\r?\n/);
  return lines.flatMap((line, index) => {
    const named = line.trim();
    if (named === '' || named.startsWith('#')) return [];
    const place = path.resolve(path.dirname(file), named);
    if (isFolder(place) || isFile(place)) return [place];
    throw new UsageError(`${file}:${index + 1}: there is no ${named}; mend or remove the line`);
  });
}

function matching(pattern: string): readonly string[] {
  if (!isDynamicPattern(pattern))
    throw new UsageError(`${pattern}: there is no such folder, file or list; check the path`);
  const places = globSync(pattern, { onlyFiles: false, expandDirectories: false });
  const submissions = places.filter((place) => isFolder(place) || isCode(place));
  if (submissions.length > 0) return submissions;
  throw new UsageError(`${pattern}: matches no folder and no code file; quote it, and try it by 'ls'`);
}

/** The folder of an entry file that is the only one in it: one submission may be named in two ways. */
function wholeOf(lab: AnyLab, place: string): string {
  if (!isNamedAsEntry(lab, place)) return place;
  const folder = path.dirname(place);
  return entriesIn(lab, folder).length === 1 ? folder : place;
}

function commonFolder(places: readonly string[]): string {
  return places.map((place) => path.dirname(place)).reduce(sharedPart);
}

function sharedPart(a: string, b: string): string {
  const relative = path.relative(a, b);
  return relative === '..' || relative.startsWith(`..${path.sep}`) ? sharedPart(path.dirname(a), b) : a;
}
