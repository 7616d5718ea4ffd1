import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { Command } from 'commander';
import {
  exitCodes,
  interpreterOption,
  interruption,
  labNamed,
  requireSteps,
  seconds,
  stepNumbers,
  wholeNumber,
} from './command-line.ts';
import { pointsOfSteps, requirePoints } from './format-flags.ts';
import { faultSaid } from './messages/faults.ts';
import { type AnyLab, labs } from './registry.ts';
import { overall } from './report/report.ts';
import type { Scoring } from './report/score.ts';
import { UsageError } from './usage-error.ts';

interface BatchFlags {
  readonly out: string;
  readonly jobs: number;
  readonly step?: number[];
  readonly seed?: number;
  readonly runs?: number;
  readonly budget?: number;
  readonly interpreter?: string;
  readonly rebuild?: boolean;
  readonly requireSandbox?: boolean;
  readonly points?: ReadonlyMap<number, number>;
  readonly partial?: boolean;
  readonly compare?: string;
  readonly anonymous?: boolean;
}

const mostJobs = 256;

export function addBatchCommand(program: Command): void {
  program
    .command('batch')
    .description('judge a class: results as they come, a table, and a report')
    .argument('<lab>', `one of ${labs.map(({ id }) => id).join(', ')}`, labNamed)
    .argument(
      '<submissions...>',
      'a folder that holds them, a quoted pattern, a text file with a path a line, or their folders and entry files',
    )
    .requiredOption('--out <dir>', 'where the results go; the same command goes on with those that are there')
    .option('--jobs <number>', 'submissions at a time', wholeNumber(1, mostJobs), availableParallelism())
    .option('--step <number...>', 'only these steps', stepNumbers)
    .option('--seed <number>', 'draw the same cases for all', wholeNumber(0, 2 ** 31 - 1))
    .option('--runs <number>', 'cases a clause', wholeNumber(1, 1_000_000))
    .option('--budget <seconds>', 'time a step may take', seconds)
    .addOption(interpreterOption())
    .option('--rebuild', "run the submissions' own generators first, and judge what they make")
    .option('--require-sandbox', 'judge nothing where bubblewrap does not work')
    .option('--points <step=points>', 'what a step is worth in the table (default: 1)', pointsOfSteps)
    .option('--partial', 'a failed step has the share of its clauses that passed')
    .option('--compare <old>', 'say whose verdict is another than in this folder, or results.jsonl, and why')
    .option('--anonymous', 'make a folder for sharing, too, which names nobody')
    .addHelpText(
      'after',
      '\nExit codes: 0 all passed, 1 some failed, 2 wrong use, 3 some could not be judged, or interrupted.',
    )
    .action(batchCommand);
}

async function batchCommand(lab: AnyLab, asked: readonly string[], flags: BatchFlags): Promise<void> {
  requireSteps(lab, flags.step);
  const scoring: Scoring = { points: flags.points ?? new Map(), partial: flags.partial ?? false };
  requirePoints(lab, scoring.points);
  const { rosterOf } = await import('./batch/roster.ts');
  const { gradeClass } = await import('./batch/batch.ts');
  const { ClassResults } = await import('./batch/class-results.ts');
  const { writeOutputs, earlierResults } = await import('./batch/outputs.ts');
  const { pythonNamed } = await import('./locate.ts');
  const { progressOn } = await import('./report/progress.ts');
  const { prettyClass } = await import('./report/class-pretty.ts');
  pythonNamed(flags.interpreter);
  const before = flags.compare === undefined ? undefined : earlierResults(flags.compare);
  const pupils = rosterOf(lab, asked);
  const results = openedIn(flags.out, () => new ClassResults(path.join(flags.out, 'results.jsonl')));
  const interrupted = interruption();
  await gradeClass({
    ...{ lab, pupils, results, interrupted, jobs: flags.jobs, progress: progressOn(process.stderr) },
    asked: {
      ...{ steps: flags.step, seed: flags.seed, runs: flags.runs, budget: flags.budget },
      ...{ interpreter: flags.interpreter, rebuild: flags.rebuild ?? false },
      requireSandbox: flags.requireSandbox ?? false,
    },
    onWarning: (warning) => console.error(`labcheck: ${warning}`),
  });
  if (interrupted.aborted) {
    console.error(`labcheck: ${faultSaid('interrupted')}; the same command goes on from ${flags.out}`);
    process.exitCode = exitCodes.undecided;
    return;
  }
  const entries = results.of(pupils.map(({ name }) => name));
  const changes = await openedIn(flags.out, () =>
    writeOutputs({
      lab,
      scoring,
      pupils,
      entries,
      before,
      folder: flags.out,
      anonymous: flags.anonymous ?? false,
    }),
  );
  console.log(prettyClass(lab, entries, changes, flags.out));
  const verdicts = entries.map(({ report }) => report.verdict);
  process.exitCode = exitCodes[verdicts.includes('undecided') ? 'undecided' : overall(verdicts)];
}

/** What is done in the folder of the results. Throws a {@link UsageError} where it cannot be written to. */
function openedIn<T>(folder: string, work: () => T): T {
  try {
    mkdirSync(folder, { recursive: true });
    return work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new UsageError(`--out ${folder}: cannot be written (${code}); name a folder that can`);
  }
}
