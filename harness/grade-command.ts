import { setFlagsFromString } from 'node:v8';
import type { Command } from 'commander';
import {
  exitCodes,
  interpreterOption,
  interruption,
  labNamed,
  langOption,
  requireSteps,
  seconds,
  stepNumbers,
  submissionAt,
  submissionOption,
  wholeNumber,
} from './command-line.ts';
import { type FormatFlags, listOfFormats, pointsOfSteps, Results, wantedFormats } from './format-flags.ts';
import { judge } from './judge.ts';
import { textsOf, tongueOfReader } from './messages/texts.ts';
import { type AnyLab, labs } from './registry.ts';
import { Pretty, readingAt } from './report/pretty.ts';

/** Cases a clause up to which a run is short. */
const shortRun = 500;

interface GradeFlags extends FormatFlags {
  readonly submission?: string;
  readonly step?: number[];
  readonly seed?: number;
  readonly runs?: number;
  readonly budget?: number;
  readonly interpreter?: string;
  readonly rebuild?: boolean;
  readonly requireSandbox?: boolean;
  readonly lang?: string;
}

export function addGradeCommand(program: Command): void {
  program
    .command('grade')
    .description('judge a submission')
    .argument('<lab>', `one of ${labs.map(({ id }) => id).join(', ')}`, labNamed)
    .addOption(submissionOption())
    .option('--step <number...>', 'only these steps', stepNumbers)
    .option('--seed <number>', 'draw the same cases again', wholeNumber(0, 2 ** 31 - 1))
    .option('--runs <number>', 'cases a clause', wholeNumber(1, 1_000_000))
    .option('--budget <seconds>', 'time a step may take', seconds)
    .addOption(interpreterOption())
    .option('--rebuild', "run the submission's own generators first, and judge what they make")
    .option('--require-sandbox', 'judge nothing where bubblewrap does not work')
    .addOption(langOption())
    .option(
      '--format <name[=file]>',
      'how the result is written, and where; may be given more than once (default: pretty)',
      wantedFormats,
    )
    .option('--output <file>', 'the file of the one format that was given')
    .option(
      '--points <step=points>',
      'what a step is worth, where points are given (default: 1)',
      pointsOfSteps,
    )
    .option('--partial', 'a failed step has the share of its clauses that passed')
    .option('--hide-cases', 'show the clauses that failed, but no inputs, values, scripts and seeds')
    .addHelpText('after', `\nFormats:\n${listOfFormats()}`)
    .addHelpText('after', '\nExit codes: 0 passed, 1 failed, 2 wrong use, 3 could not be judged.')
    .action(gradeCommand);
}

async function gradeCommand(lab: AnyLab, flags: GradeFlags): Promise<void> {
  requireSteps(lab, flags.step);
  // A run of the usual length is over before optimised code has paid for its compilation.
  if ((flags.runs ?? 0) <= shortRun) setFlagsFromString('--no-opt');
  const interrupted = interruption();

  const texts = textsOf(tongueOfReader(flags.lang, process.env));
  const results = await Results.of(lab, texts, flags);
  const terminal = new Pretty(lab, readingAt(process.stdout, texts));
  const report = await judge({
    lab,
    tongue: texts.tongue,
    place: submissionAt(flags.submission, lab),
    steps: flags.step,
    seed: flags.seed,
    runs: flags.runs,
    budget: flags.budget,
    interpreter: flags.interpreter,
    rebuild: flags.rebuild ?? false,
    requireSandbox: flags.requireSandbox ?? false,
    ...(results.hasFiles ? { onPartial: (partial) => results.partly(partial) } : {}),
    onWarning: (warning) => console.error(`labcheck: ${warning}`),
    interrupted,
    onClause: (_step, clause) => {
      if (results.inWords) console.log(terminal.clause(clause));
    },
  });
  console.log(results.printed(report) ?? terminal.rest(results.shown(report)));
  process.exitCode = exitCodes[report.verdict];
  results.write(report);
}
