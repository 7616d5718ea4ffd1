import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { Texts } from './messages/texts.ts';
import { isWithin } from './mounts.ts';
import type { AnyLab } from './registry.ts';
import { findInterpreter } from './subject/interpreter.ts';
import { findSubmission, type Submission, scriptsOf } from './subject/submission.ts';
import { UsageError } from './usage-error.ts';

/** Where the submission is said to lie, and how it is to be run. */
export interface Place {
  readonly lab: AnyLab;
  /** A folder, or an entry file. */
  readonly place: string;
  readonly seed: number | undefined;
  /** A Python by path or name. */
  readonly interpreter: string | undefined;
}

export type Located =
  | {
      readonly status: 'ready';
      readonly submission: Submission;
      readonly entry: string;
      readonly seed: number;
    }
  /** There is nothing to run: a failure of the submission's. */
  | {
      readonly status: 'refused';
      readonly kind: 'missing' | 'load';
      /** What was there instead. */
      readonly got: (texts: Texts) => string;
      readonly entry: string | undefined;
      readonly seed: number;
    }
  /** There is nothing to run it by. */
  | { readonly status: 'no python'; readonly entry: string | undefined; readonly seed: number };

/** Finds the submission. Throws a {@link UsageError} where the place names none, or more than one. */
export function locate({ lab, place, seed, interpreter }: Place): Located {
  const found = findSubmission(place, lab.entry);
  if (found.status === 'absent') {
    throw new UsageError(
      `--submission ${place}: there is no such folder or entry file; name the folder of ${lab.entry}.py`,
    );
  }
  if (found.status === 'ambiguous') {
    throw new UsageError(
      `--submission ${place}: the folder has ${found.names.join(' and ')}; name the one that is meant`,
    );
  }
  const entry = found.status === 'found' ? found.entry : undefined;
  const refused = { status: 'refused', entry, seed: seed ?? 0 } as const;
  if (!entry && lab.kind === 'functions')
    return { ...refused, kind: 'missing', got: (texts) => texts.say('telling', 'noEntry') };
  if (entry && leadsOut(entry))
    return {
      ...refused,
      kind: 'load',
      got: (texts) => texts.say('telling', 'linkOut', { file: path.basename(entry) }),
    };
  const isPython = found.status !== 'found' || found.kind === 'python'; // a folder of scripts fills up step by step
  const python = isPython ? pythonNamed(interpreter) : findInterpreter(interpreter ?? 'python3');
  const drawn = seed ?? (entry ? seedOf(entry) : 0);
  if (isPython && !python) return { status: 'no python', entry, seed: drawn };
  const submission = submissionOf(lab, place, entry, isPython, python ?? '');
  return { status: 'ready', submission, entry: submission.entry, seed: drawn };
}

/** The Python of that name, or else the usual one; undefined where there is none. Throws where the named one is not there. */
export function pythonNamed(name: string | undefined): string | undefined {
  const found = findInterpreter(name ?? 'python3');
  if (found || name === undefined) return found;
  throw new UsageError(`--interpreter ${name}: there is no such program; name a Python 3`);
}

/** The submission whose entry file is given; a folder of scripts may not have one yet. */
export function submissionOf(
  lab: AnyLab,
  place: string,
  entry: string | undefined,
  isPython: boolean,
  interpreter: string,
): Submission {
  if (lab.kind === 'scripts' || !entry) {
    return scriptsOf(entry ? path.dirname(entry) : path.resolve(place), lab.entry, entry, interpreter);
  }
  return isPython ? { kind: 'python', entry, interpreter } : { kind: 'node', entry };
}

/**
 * The seed of a submission that is given none. The same file is judged by the same cases every time, so that no
 * verdict depends on luck; and nobody can tell beforehand by which.
 */
function seedOf(entry: string): number {
  return createHash('sha256').update(readFileSync(entry)).digest().readUInt32BE() >>> 1;
}

/** Whether it is a link to what lies elsewhere, and may be somebody else's. */
function leadsOut(entry: string): boolean {
  return !isWithin(realpathSync(entry), realpathSync(path.dirname(entry)));
}
