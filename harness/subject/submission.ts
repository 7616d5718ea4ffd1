import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Language } from '../literal.ts';
import { sqlitePackages } from '../project.ts';
import { type Confinement, Sandbox, type View } from '../sandbox.ts';
import { nodeHost, nodeSubject } from './node.ts';
import { pythonHost, pythonSubject } from './python.ts';
import { NodeRunner, PythonRunner, scriptHost, scriptName, scriptsSubject } from './scripts.ts';
import type { OpenSubject } from './subject.ts';

/** What is judged: its entry file, and what runs it. */
export type Submission =
  | { readonly kind: 'python'; readonly entry: string; readonly interpreter: string }
  | { readonly kind: 'node'; readonly entry: string }
  | {
      readonly kind: 'scripts';
      /** The command that most steps ask for; before there is one, the folder. */
      readonly entry: string;
      readonly folder: string;
      readonly language: Language;
      /** Paths by names: `idem_api` for idem_api.py and idem-api.ts alike. */
      readonly scripts: Readonly<Record<string, string>>;
      readonly interpreter: string;
    };

/** The Python that runs a submission; undefined where none does. */
export function interpreterOf(submission: Submission): string | undefined {
  return submission.kind === 'node' ? undefined : submission.interpreter;
}

const kinds: Readonly<Record<string, 'python' | 'node'>> = {
  '.py': 'python',
  '.ts': 'node',
  '.mts': 'node',
  '.js': 'node',
  '.mjs': 'node',
};

/** Endings of the names of files that can be run. */
export const codeEndings: readonly string[] = Object.keys(kinds);

/** What the entry file of that name may be called: JavaScript may write its `_` as `-`. */
export function entryNames(name: string): readonly string[] {
  const stems = [...new Set([name, name.replaceAll('_', '-')])];
  return stems.flatMap((stem) => codeEndings.map((ending) => stem + ending));
}

export type Found =
  | { readonly status: 'found'; readonly kind: 'python' | 'node'; readonly entry: string }
  /** The folder has no entry file: `names` could be one. */
  | { readonly status: 'missing'; readonly names: readonly string[] }
  | { readonly status: 'ambiguous'; readonly names: readonly string[] }
  | { readonly status: 'absent' };

/** The entry file of that name with an extension of a kind, in a folder, or the file itself. */
export function findSubmission(place: string, name: string): Found {
  const absolute = path.resolve(place);
  if (!existsSync(absolute)) return { status: 'absent' };
  if (!statSync(absolute).isDirectory()) {
    const kind = kinds[path.extname(absolute)];
    return kind ? { status: 'found', kind, entry: absolute } : { status: 'absent' };
  }
  const candidates = entryNames(name);
  const names = candidates.filter((candidate) => isFile(path.join(absolute, candidate)));
  const [only, another] = names;
  if (!only) return { status: 'missing', names: candidates };
  if (another) return { status: 'ambiguous', names };
  return findSubmission(path.join(absolute, only), name);
}

/** Whether there is such a file; a link may lead to it. */
export function isFile(place: string): boolean {
  try {
    return statSync(place).isFile();
  } catch {
    return false; // it is not there, or a link to nothing or to itself
  }
}

/** A folder of scripts, of which `entry` is the one named `name`; there may be none yet. */
export function scriptsOf(
  folder: string,
  name: string,
  entry: string | undefined,
  interpreter: string,
): Submission {
  const language = entry && kinds[path.extname(entry)] === 'node' ? 'javascript' : 'python';
  const files = readdirSync(folder).filter(
    (file) =>
      (kinds[path.extname(file)] === 'python') === (language === 'python') && path.extname(file) in kinds,
  );
  const scripts = Object.fromEntries(files.map((file) => [scriptName(file), path.join(folder, file)]));
  if (entry) scripts[name] = entry;
  return { kind: 'scripts', entry: entry ?? folder, folder, language, scripts, interpreter };
}

/** Opens subjects of the submission, whose processes see it, what runs it, and `folder`. */
export function openSubject(submission: Submission, folder: string, confinement: Confinement): OpenSubject {
  const sandbox = new Sandbox(confinement, folder, viewOf(submission));
  switch (submission.kind) {
    case 'python':
      return pythonSubject(submission.entry, submission.interpreter, sandbox);
    case 'node':
      return nodeSubject(submission.entry, sandbox);
    case 'scripts': {
      const { language, scripts, interpreter } = submission;
      return scriptsSubject(submission.folder, language, scripts, () =>
        language === 'python' ? new PythonRunner(interpreter, sandbox) : new NodeRunner(sandbox),
      );
    }
  }
}

function viewOf(submission: Submission): View {
  const isPython =
    submission.kind === 'python' || (submission.kind === 'scripts' && submission.language === 'python');
  const folder = submission.kind === 'scripts' ? submission.folder : path.dirname(submission.entry);
  const host = submission.kind === 'scripts' ? scriptHost : pythonHost;
  return isPython
    ? { submission: folder, programs: [submission.interpreter], files: [host] }
    : { submission: folder, programs: [process.execPath], files: [nodeHost, ...sqlitePackages()] };
}
