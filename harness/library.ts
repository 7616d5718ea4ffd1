/**
 * Grading from a program: `import { grade } from 'idem-lab-checks'`. What the command line does, as functions: the same
 * sandbox, the same verdicts. It needs Node 20.19 or newer; submissions in Python need Python 3.8 or newer.
 */
import path from 'node:path';
import { judge } from './judge.ts';
import { addLabDirs } from './lab-dir.ts';
import { textsOf } from './messages/texts.ts';
import { projectVersion } from './project.ts';
import { type AnyLab, allLabs, labById } from './registry.ts';
import { formatNamed, formats } from './report/formats.ts';
import type { ClauseReport, Report } from './report/report.ts';
import { withoutCases } from './report/shown.ts';
import { UsageError } from './usage-error.ts';

export type {
  ClauseReport,
  FailureKind,
  FailureReport,
  Isolation,
  Report,
  StepReport,
  Verdict,
} from './report/report.ts';
export type { Moment, Story, Table } from './report/story.ts';
export { GraderFault } from './subject/subject.ts';
export { UsageError };

/** A lab as a caller chooses from. */
export interface LabInfo {
  readonly id: string;
  readonly title: string;
  /** Seconds that a step may take where nothing else is said. */
  readonly budget: number;
  readonly steps: readonly { readonly number: number; readonly title: string }[];
}

export interface GradeOptions {
  /** The id of a lab: see {@link labs}. */
  readonly lab: string;
  /** The submission's folder, or its entry file. Its code is run in a sandbox, as far as there is one. */
  readonly submission: string;
  /** Numbers of steps. Default: all. */
  readonly steps?: readonly number[];
  /** 0 to 2^31 - 1. Default: one that follows from the entry file's content. */
  readonly seed?: number;
  /** Cases a clause. Default: what the clause says. */
  readonly runs?: number;
  /** Seconds that a step may take. Default: the lab's. */
  readonly budget?: number;
  /** The Python that runs the submission, by name or path. Default: `python3` on PATH. */
  readonly interpreter?: string;
  /** Files that scripts of the submission make are made anew; this needs bubblewrap. */
  readonly rebuild?: boolean;
  /** Where bubblewrap does not work nothing is judged: a {@link UsageError} is thrown. */
  readonly requireSandbox?: boolean;
  /** Once aborted, what is not known yet is undecided. */
  readonly signal?: AbortSignal;
  /** Told of each clause as it ends. */
  readonly onClause?: (step: number, clause: ClauseReport) => void;
  /** Told in a line where a submission is confined by less than bubblewrap. */
  readonly onWarning?: (warning: string) => void;
}

/** The labs that are known: those of this package, and those that {@link addLabs} added. */
export function labs(): readonly LabInfo[] {
  return allLabs().map(({ id, title, budget, steps }) => ({
    ...{ id, title, budget },
    steps: steps.map(({ number, title }) => ({ number, title })),
  }));
}

/** Makes the labs in these folders known; each is a lab, or holds some. Throws a {@link UsageError}. */
export function addLabs(...folders: readonly string[]): Promise<void> {
  return addLabDirs(folders);
}

/**
 * Judges a submission. What is wrong with it is in the report, and what is wrong with the grader, too (`undecided`). Throws
 * a {@link UsageError}, whose message is one line, where the options are wrong, and a {@link GraderFault} where there is no room to work.
 */
export async function grade(options: GradeOptions): Promise<Report> {
  const lab = labOf(options.lab);
  const { submission, steps, seed, runs, budget, interpreter, rebuild, requireSandbox, signal } = options;
  for (const step of steps ?? []) {
    if (!lab.steps.some(({ number }) => number === step))
      throw new UsageError(`steps ${step}: ${lab.id} has the steps 1 to ${lab.steps.length}`);
  }
  requireRange('seed', seed, 0, 2 ** 31 - 1);
  requireRange('runs', runs, 1, 1_000_000);
  if (budget !== undefined && !(budget > 0 && budget <= 86_400))
    throw new UsageError(`budget ${budget}: give a number of seconds above 0`);
  return judge({
    ...{ lab, place: submission, steps, seed, runs, budget, interpreter },
    ...{ rebuild: rebuild ?? false, requireSandbox: requireSandbox ?? false },
    ...(options.onWarning && { onWarning: options.onWarning }),
    onClause: options.onClause ?? (() => {}),
    interrupted: signal ?? new AbortController().signal,
  });
}

export interface RenderOptions {
  /** By the numbers of steps; 1 for all others. */
  readonly points?: Readonly<Record<number, number>>;
  /** A failed step has the share of its clauses that passed, instead of nothing. */
  readonly partial?: boolean;
  /** No inputs, values, scripts and seeds of failures are shown. */
  readonly hideCases?: boolean;
}

/** The names of the formats that {@link render} knows. */
export function formatNames(): readonly string[] {
  return formats.map(({ name }) => name);
}

/** A report in one of the formats, as a text. Throws a {@link UsageError} where there is no such format or lab. */
export async function render(report: Report, format: string, options: RenderOptions = {}): Promise<string> {
  const found = formatNamed(format);
  if (!found)
    throw new UsageError(`format ${format}: there is none; it is one of ${formatNames().join(', ')}`);
  const rendering = await found.load();
  return rendering.render(options.hideCases ? withoutCases(report) : report, {
    ...{ lab: labOf(report.lab), texts: textsOf('en'), base: path.resolve('.'), now: new Date() },
    points: new Map(Object.entries(options.points ?? {}).map(([step, points]) => [Number(step), points])),
    ...{ partial: options.partial ?? false, version: projectVersion() },
  });
}

function labOf(id: string): AnyLab {
  const lab = labById(id);
  if (lab) return lab;
  throw new UsageError(
    `lab ${id}: there is none; it is one of ${allLabs()
      .map((each) => each.id)
      .join(', ')}`,
  );
}

function requireRange(name: string, value: number | undefined, least: number, most: number): void {
  if (value === undefined || (Number.isInteger(value) && value >= least && value <= most)) return;
  throw new UsageError(`${name} ${value}: give a whole number from ${least} to ${most}`);
}
