import { lstatSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { tongues } from './messages/texts.ts';
import { type AnyLab, labById } from './registry.ts';
import type { Verdict } from './report/report.ts';
import { UsageError } from './usage-error.ts';

/* What the commands have in common. */

/** 2 is wrong use; a verdict has a code of its own. */
export const exitCodes: Readonly<Record<Verdict, number>> = {
  passed: 0,
  failed: 1,
  undecided: 3,
  skipped: 3,
};
export const wrongUse = 2;

/** Aborted by the first signal that asks for an end; the second ends the process at once. */
export function interruption(): AbortSignal {
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (interrupt.signal.aborted) process.exit(exitCodes.undecided); // asked again, do not wait for the result
      interrupt.abort();
    });
  }
  return interrupt.signal;
}

/** Throws a {@link UsageError} where the lab lacks a step that was asked for. */
export function requireSteps(lab: AnyLab, asked: readonly number[] = []): void {
  for (const step of asked) {
    if (!lab.steps.some(({ number }) => number === step)) {
      throw new UsageError(`--step ${step}: ${lab.id} has the steps 1 to ${lab.steps.length}`);
    }
  }
}

/** Writes a file so that nobody ever reads half of it. False where it cannot be: that is told at the end. */
export function saveAtOnce(file: string, text: string): boolean {
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === false) return false; // a device, or a link
  const half = `${file}.part`;
  try {
    writeFileSync(half, `${text}\n`);
    renameSync(half, file);
    return true;
  } catch {
    rmSync(half, { force: true });
    return false;
  }
}

/** Writes the result. Throws a {@link UsageError} where the file cannot be written, which names the option. */
export function save(file: string, text: string, option = `--output ${file}`): void {
  if (saveAtOnce(file, text)) return;
  try {
    writeFileSync(file, `${text}\n`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`${option}: cannot be written (${code}); name a file in a folder that can`);
  }
}

export function labNamed(id: string): AnyLab {
  const lab = labById(id);
  if (!lab)
    throw new InvalidArgumentError(
      `There is no such lab; 'labcheck list' shows them, and --lab-dir makes yours known.`,
    );
  return lab;
}

/** `--lab-dir A --lab-dir B`. */
export function labDirs(dir: string, before: readonly string[] = []): readonly string[] {
  return [...before, dir];
}

/** The folders in $LABCHECK_LAB_DIR, separated as those in $PATH are. */
export function labDirsOfEnvironment(): readonly string[] {
  return (process.env.LABCHECK_LAB_DIR ?? '').split(path.delimiter).filter((dir) => dir !== '');
}

export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < least || number > most) {
      throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`);
    }
    return number;
  };
}

/** `--step 1 2`, `--step 1 --step 2` and `--step 1,2` are the same. */
export function stepNumbers(text: string, before: number[] = []): number[] {
  return [...before, ...text.split(',').map(wholeNumber(1, 99))];
}

export function seconds(text: string): number {
  const number = Number(text);
  if (!(number > 0 && number <= 86_400)) throw new InvalidArgumentError('Give a number of seconds above 0.');
  return number;
}

/** The tongue that a learner reads. What the environment says is looked at where it is not given. */
export function langOption(): Option {
  return new Option(
    '--lang <tongue>',
    'the language a learner reads (default: LC_ALL, LC_MESSAGES or LANG)',
  ).choices(tongues);
}

export function submissionOption(): Option {
  return new Option(
    '--submission <path>',
    "the folder of the submission, or its entry file (default: $SUBMISSION, or the lab's own folder)",
  );
}

/** Where the submission lies. */
export function submissionAt(asked: string | undefined, { home }: AnyLab): string {
  return asked ?? process.env.SUBMISSION ?? home;
}

export function interpreterOption(): Option {
  return new Option('--interpreter <path>', 'the Python that runs the submission (default: python3 on PATH)');
}
