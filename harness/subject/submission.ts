import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { plainProcess } from '../sandbox.ts';
import { nodeSubject } from './node.ts';
import { pythonSubject } from './python.ts';
import type { OpenSubject } from './subject.ts';

/** What is judged: its entry file, and what runs it. */
export type Submission =
  | { readonly kind: 'python'; readonly entry: string; readonly interpreter: string }
  | { readonly kind: 'node'; readonly entry: string };

const kinds: Readonly<Record<string, Submission['kind']>> = {
  '.py': 'python',
  '.ts': 'node',
  '.mts': 'node',
  '.js': 'node',
  '.mjs': 'node',
};

export type Found =
  | { readonly status: 'found'; readonly kind: Submission['kind']; readonly entry: string }
  /** The folder has no entry file: `names` could be one. */
  | { readonly status: 'missing'; readonly names: readonly string[] }
  | { readonly status: 'ambiguous'; readonly names: readonly string[] }
  | { readonly status: 'absent' };

/** The entry file named `stem` with an extension of a kind, in a folder, or the file itself. */
export function findSubmission(place: string, stem: string): Found {
  const absolute = path.resolve(place);
  if (!existsSync(absolute)) return { status: 'absent' };
  if (!statSync(absolute).isDirectory()) {
    const kind = kinds[path.extname(absolute)];
    return kind ? { status: 'found', kind, entry: absolute } : { status: 'absent' };
  }
  const candidates = Object.keys(kinds).map((extension) => stem + extension);
  const names = candidates.filter((name) => isFile(path.join(absolute, name)));
  const [name, another] = names;
  if (!name) return { status: 'missing', names: candidates };
  if (another) return { status: 'ambiguous', names };
  return findSubmission(path.join(absolute, name), stem);
}

function isFile(place: string): boolean {
  return statSync(place, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** Opens subjects of the submission, whose processes work in `folder`. */
export function openSubject(submission: Submission, folder: string): OpenSubject {
  const sandbox = plainProcess(folder);
  return submission.kind === 'python'
    ? pythonSubject(submission.entry, submission.interpreter, sandbox)
    : nodeSubject(submission.entry, sandbox);
}
