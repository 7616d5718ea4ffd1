#!/usr/bin/env node
import { writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import pc from 'picocolors';
import { judge, UsageError } from './judge.ts';
import { en } from './messages/en.ts';
import { type AnyLab, labById, labs } from './registry.ts';
import { Pretty } from './report/pretty.ts';
import type { Report, Verdict } from './report/report.ts';

/** 2 is wrong use; a verdict has a code of its own. */
const exitCodes: Readonly<Record<Verdict, number>> = { passed: 0, failed: 1, undecided: 3, skipped: 3 };
const wrongUse = 2;

/** Cases a clause up to which a run is short. */
const shortRun = 500;

const program = new Command('labcheck')
  .description('Contract checks for labs on idempotency keys over SQLite.')
  .exitOverride()
  .showSuggestionAfterError(false)
  .configureOutput({ writeErr: (text) => process.stderr.write(text) });

program
  .command('list')
  .description('the labs and their steps')
  .action(() => {
    for (const lab of labs) {
      console.log(`${lab.id}  ${lab.title} (${lab.budget} s a step)`);
      for (const { number, title, clauses } of lab.steps)
        console.log(`  ${number}  ${title}, ${clauses.length} clauses`);
    }
  });

interface GradeFlags {
  readonly submission?: string;
  readonly step?: number[];
  readonly seed?: number;
  readonly runs?: number;
  readonly budget?: number;
  readonly interpreter?: string;
  readonly rebuild?: boolean;
  readonly format: 'pretty' | 'json';
  readonly output?: string;
}

program
  .command('grade')
  .description('judge a submission')
  .argument('<lab>', `one of ${labs.map(({ id }) => id).join(', ')}`, labNamed)
  .option(
    '--submission <path>',
    "the folder of the submission, or its entry file (default: $SUBMISSION, or the lab's own folder)",
  )
  .option('--step <number...>', 'only these steps', stepNumbers)
  .option('--seed <number>', 'draw the same cases again', wholeNumber(0, 2 ** 31 - 1))
  .option('--runs <number>', 'cases a clause', wholeNumber(1, 1_000_000))
  .option('--budget <seconds>', 'time a step may take', seconds)
  .option('--interpreter <path>', 'the Python that runs the submission (default: python3 on PATH)')
  .option('--rebuild', "run the submission's own generators first, and judge what they make")
  .addOption(
    new Option('--format <name>', 'how the result is written').choices(['pretty', 'json']).default('pretty'),
  )
  .option('--output <file>', 'write the result there, too')
  .addHelpText('after', '\nExit codes: 0 passed, 1 failed, 2 wrong use, 3 could not be judged.')
  .action(gradeCommand);

async function gradeCommand(lab: AnyLab, flags: GradeFlags): Promise<void> {
  for (const step of flags.step ?? []) {
    if (!lab.steps.some(({ number }) => number === step)) {
      throw new UsageError(`--step ${step}: ${lab.id} has the steps 1 to ${lab.steps.length}`);
    }
  }
  // A run of the usual length is over before optimised code has paid for its compilation.
  if ((flags.runs ?? 0) <= shortRun) setFlagsFromString('--no-opt');
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (interrupt.signal.aborted) process.exit(exitCodes.undecided); // asked again, do not wait for the result
      interrupt.abort();
    });
  }

  // With a file for the result the terminal is free for the reader.
  const shown = flags.output ? 'pretty' : flags.format;
  const terminal = new Pretty(pc.isColorSupported && process.stdout.isTTY === true);
  const lines: string[] = [];
  const plain = new Pretty(false);
  const report = await judge({
    lab,
    place: flags.submission ?? process.env.SUBMISSION ?? lab.home,
    steps: flags.step,
    seed: flags.seed,
    runs: flags.runs,
    budget: flags.budget,
    interpreter: flags.interpreter,
    rebuild: flags.rebuild ?? false,
    interrupted: interrupt.signal,
    onClause: (_step, clause) => {
      lines.push(plain.clause(clause));
      if (shown === 'pretty') console.log(terminal.clause(clause));
    },
  });
  console.log(shown === 'pretty' ? terminal.rest(report) : json(report));
  process.exitCode = exitCodes[report.verdict];
  if (flags.output) {
    save(flags.output, flags.format === 'json' ? json(report) : [...lines, plain.rest(report)].join('\n'));
  }
}

function json(report: Report): string {
  return JSON.stringify(report, undefined, 2);
}

function save(file: string, text: string): void {
  try {
    writeFileSync(file, `${text}\n`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`--output ${file}: cannot be written (${code}); name a file in a folder that can`);
  }
}

function labNamed(id: string): AnyLab {
  const lab = labById(id);
  if (!lab) throw new InvalidArgumentError(`There is no such lab; 'labcheck list' shows them.`);
  return lab;
}

function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < least || number > most) {
      throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`);
    }
    return number;
  };
}

/** `--step 1 2`, `--step 1 --step 2` and `--step 1,2` are the same. */
function stepNumbers(text: string, before: number[] = []): number[] {
  return [...before, ...text.split(',').map(wholeNumber(1, 99))];
}

function seconds(text: string): number {
  const number = Number(text);
  if (!(number > 0 && number <= 86_400)) throw new InvalidArgumentError('Give a number of seconds above 0.');
  return number;
}

function ownFault(error: Error): void {
  console.error(`labcheck: ${en.ownFault}\n${error.stack}`);
  process.exitCode = exitCodes.undecided;
}

process.on('uncaughtException', (error) => {
  ownFault(error);
  process.exit(); // with our code: that of Node is 1, a verdict
});
process.stdout.on('error', () => {}); // a reader that has seen enough; the exit code is still the verdict

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : wrongUse;
  } else if (error instanceof UsageError) {
    console.error(`labcheck: ${error.message}`);
    process.exitCode = wrongUse;
  } else {
    ownFault(error as Error);
  }
}
