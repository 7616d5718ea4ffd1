import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { functionName } from '../literal.ts';
import type { ShownFailure, ShownReport } from './shown.ts';

/** Where a failure is to be looked for. */
export interface Place {
  /** Relative to the folder that was asked for, with `/`. */
  readonly file: string;
  /** From 1; left out where it is not known. */
  readonly line?: number;
}

/** A file's size up to which it is searched, in bytes. */
const mostSearched = 1 << 20;

/**
 * The place of a failure, for those who show a message beside the code: the line that could not be loaded, else that of the
 * step's function, else the file. Undefined where the submission is no file, or lies outside `base`.
 */
export function placeOf(
  { submission }: ShownReport,
  step: string,
  { kind, got }: ShownFailure,
  base: string,
): Place | undefined {
  if (!isFile(submission)) return undefined;
  const loaded = kind === 'load' ? lineLoaded(got, path.dirname(submission)) : undefined;
  const { at, line } = loaded ?? { at: submission, line: lineOfFunction(submission, step) };
  const file = path.relative(base, at);
  if (file.startsWith('..') || path.isAbsolute(file)) return undefined;
  return { file: file.split(path.sep).join('/'), ...(line === undefined ? {} : { line }) };
}

/** The file and line that a message about loading begins with. The submission had a part in it: only its own files count. */
function lineLoaded(message: string, folder: string): { at: string; line: number } | undefined {
  const [, name, line] = /^([^:\n]+):(\d{1,7}): /.exec(message) ?? [];
  if (name === undefined || path.isAbsolute(name) || name.split(/[\\/]/).includes('..')) return undefined;
  const at = path.join(folder, name);
  return isFile(at) && Number(line) > 0 ? { at, line: Number(line) } : undefined;
}

function lineOfFunction(file: string, name: string): number | undefined {
  if (!/^\w+$/.test(name) || (statSync(file).size ?? 0) > mostSearched) return undefined;
  const names = [name, functionName(name, 'javascript')].join('|');
  const beginning = new RegExp(
    `^\\s*(?:export\\s+)?(?:async\\s+)?(?:def|function|const|let)\\s+(?:${names})\\b`,
  );
  const index = readFileSync(file, 'utf8')
    .split('\n')
    .findIndex((line) => beginning.test(line));
  return index < 0 ? undefined : index + 1;
}

function isFile(name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isFile() === true;
}
