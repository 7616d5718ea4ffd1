import { setFlagsFromString } from 'node:v8';
import { type Command, Option } from 'commander';
import {
  exitCodes,
  interruption,
  labNamed,
  langOption,
  requireSteps,
  save,
  saveAtOnce,
  seconds,
  stepNumbers,
  wholeNumber,
} from './command-line.ts';
import { judge } from './judge.ts';
import { textsOf, tongueOfReader } from './messages/texts.ts';
import { type AnyLab, labs } from './registry.ts';
import { harmlessJson } from './report/harmless.ts';
import { Pretty, plainly, readingAt } from './report/pretty.ts';
import type { Report } from './report/report.ts';

/** Cases a clause up to which a run is short. */
const shortRun = 500;

interface GradeFlags {
  readonly submission?: string;
  readonly step?: number[];
  readonly seed?: number;
  readonly runs?: number;
  readonly budget?: number;
  readonly interpreter?: string;
  readonly rebuild?: boolean;
  readonly requireSandbox?: boolean;
  readonly lang?: string;
  readonly format: 'pretty' | 'json';
  readonly output?: string;
}

export function addGradeCommand(program: Command): void {
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
    .option('--require-sandbox', 'judge nothing where bubblewrap does not work')
    .addOption(langOption())
    .addOption(
      new Option('--format <name>', 'how the result is written')
        .choices(['pretty', 'json'])
        .default('pretty'),
    )
    .option('--output <file>', 'write the result there, too')
    .addHelpText('after', '\nExit codes: 0 passed, 1 failed, 2 wrong use, 3 could not be judged.')
    .action(gradeCommand);
}

async function gradeCommand(lab: AnyLab, flags: GradeFlags): Promise<void> {
  requireSteps(lab, flags.step);
  // A run of the usual length is over before optimised code has paid for its compilation.
  if ((flags.runs ?? 0) <= shortRun) setFlagsFromString('--no-opt');
  const interrupted = interruption();

  // With a file for the result the terminal is free for the reader.
  const shown = flags.output ? 'pretty' : flags.format;
  const texts = textsOf(tongueOfReader(flags.lang, process.env));
  const terminal = new Pretty(lab, readingAt(process.stdout, texts));
  const lines: string[] = [];
  const plain = new Pretty(lab, { ...plainly, texts });
  const { output } = flags;
  const partly =
    flags.format === 'json' ? json : (report: Report) => [...lines, plain.rest(report)].join('\n');
  const report = await judge({
    lab,
    tongue: texts.tongue,
    place: flags.submission ?? process.env.SUBMISSION ?? lab.home,
    steps: flags.step,
    seed: flags.seed,
    runs: flags.runs,
    budget: flags.budget,
    interpreter: flags.interpreter,
    rebuild: flags.rebuild ?? false,
    requireSandbox: flags.requireSandbox ?? false,
    ...(output === undefined ? {} : { onPartial: (partial) => saveAtOnce(output, partly(partial)) }),
    onWarning: (warning) => console.error(`labcheck: ${warning}`),
    interrupted,
    onClause: (_step, clause) => {
      lines.push(plain.clause(clause));
      if (shown === 'pretty') console.log(terminal.clause(clause));
    },
  });
  console.log(shown === 'pretty' ? terminal.rest(report) : json(report));
  process.exitCode = exitCodes[report.verdict];
  if (output !== undefined) save(output, partly(report));
}

function json(report: Report): string {
  return harmlessJson(JSON.stringify(report, undefined, 2));
}
