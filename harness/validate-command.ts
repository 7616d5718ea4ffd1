import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { type Command, Option } from 'commander';
import pc from 'picocolors';
import {
  exitCodes,
  interruption,
  labNamed,
  requireSteps,
  save,
  stepNumbers,
  wholeNumber,
} from './command-line.ts';
import { faultSaid } from './messages/faults.ts';
import { staff } from './messages/staff.ts';
import type { CandidateSource } from './mutation/candidates.ts';
import type { ReferenceLanguage } from './mutation/mutants.ts';
import type { MutantResult, Validation } from './mutation/validation.ts';
import { type AnyLab, labs } from './registry.ts';
import { plain } from './sandbox.ts';
import { UsageError } from './usage-error.ts';

/* `labcheck validate`. What it needs is loaded only once it is asked for: `grade` is to start fast. */

interface ValidateFlags {
  readonly variant?: string;
  readonly mutants?: string;
  readonly seeds: number;
  readonly quick?: boolean;
  readonly step?: number[];
  readonly language?: ReferenceLanguage;
  readonly origin?: MutantResult['origin'];
  readonly threads: number;
  readonly resume?: string;
  readonly format: Format;
  readonly output?: string;
}

type Format = 'pretty' | 'json' | 'html';

const mostSeeds = 1000;
const mostThreads = 256;

export function addValidateCommand(program: Command): void {
  program
    .command('validate')
    .description('check the checks: correct submissions have to pass, mutants have to die')
    .argument('<lab>', `one of ${labs.map(({ id }) => id).join(', ')}`, labNamed)
    .option(
      '--variant <dir>',
      'a correct submission of your own: it has to pass, and mutants of its SQL to die',
    )
    .option('--mutants <dir>', "a folder of *.yaml with mutants, instead of the lab's")
    .option('--seeds <number>', 'each on the seeds 1 to this', wholeNumber(1, mostSeeds), 1)
    .option('--quick', 'mutants before their own step only, up to the first failure; few cases else')
    .option('--step <number...>', 'only mutants of these steps', stepNumbers)
    .addOption(new Option('--language <name>', 'only submissions in it').choices(['python', 'typescript']))
    .addOption(
      new Option('--origin <name>', 'only these mutants').choices(['worksheet', 'field', 'operator']),
    )
    .option(
      '--threads <number>',
      'submissions at a time',
      wholeNumber(1, mostThreads),
      2 * availableParallelism(),
    )
    .option('--resume <file>', 'keep what is done in this file, and do not do again what is in it')
    .addOption(
      new Option('--format <name>', 'how the result is written')
        .choices(['pretty', 'json', 'html'])
        .default('pretty'),
    )
    .option('--output <file>', 'write the result there, too')
    .addHelpText(
      'after',
      '\nExit codes: 0 all as it should be, 1 not so, 2 wrong use, 3 could not be judged.',
    )
    .action(validateCommand);
}

async function validateCommand(lab: AnyLab, flags: ValidateFlags): Promise<void> {
  requireSteps(lab, flags.step);
  const { validate } = await import('./mutation/validate.ts');
  const { progressOn } = await import('./report/progress.ts');
  const { threadWorker } = await import('./mutation/workers.ts');
  const { findConfinement } = await import('./confinement.ts');
  const { openScratch } = await import('./scratch.ts');
  const { findInterpreter } = await import('./subject/interpreter.ts');
  const interpreter = findInterpreter('python3');
  if (!interpreter) throw new Error(faultSaid('noPython'));
  const prepared = { ...(await subjectsOf(lab, flags)), journal: await journalOf(flags.resume) };
  const interrupted = interruption();
  const scratch = openScratch();
  const { confinement } = await findConfinement(scratch.folder, interpreter, interpreter, plain.cpuSeconds);
  const workers = Array.from({ length: flags.threads }, () => threadWorker(scratch.folder));
  const closeAll = () => Promise.all(workers.map((worker) => worker.close()));
  interrupted.addEventListener('abort', closeAll);
  try {
    const validation = await validate({
      ...{ lab, ...prepared, interpreter, confinement, workers, interrupted },
      inProcess: flags.variant === undefined,
      seeds: Array.from({ length: flags.seeds }, (_, index) => index + 1),
      quick: flags.quick ?? false,
      wanted: ({ step, origin }) =>
        (!flags.step || (step !== null && flags.step.includes(step))) &&
        (!flags.origin || origin === flags.origin),
      progress: progressOn(process.stderr),
    });
    await write(validation, flags);
    if (interrupted.aborted)
      console.error(`labcheck: ${faultSaid('interrupted')}; ${staff.validation.goOn(flags.resume)}`);
    process.exitCode = exitCodes[validation.verdict];
  } finally {
    await closeAll();
    scratch.remove();
  }
}

/** What has to pass, what mutants are made of, and from where. Throws a {@link UsageError}. */
async function subjectsOf(lab: AnyLab, { variant, mutants, language }: ValidateFlags) {
  const { languagesOf, ownBase, referenceBase, variantBases } = await import('./mutation/base.ts');
  const { fromData } = await import('./mutation/candidates.ts');
  const { loadEquivalents } = await import('./mutation/equivalents.ts');
  const { loadMutants, MutantFileError, mutantsFolder } = await import('./mutation/mutants.ts');
  const languages: readonly ReferenceLanguage[] = language ? [language] : languagesOf(lab);
  const { fromOperators } = await import('./mutation/sql-candidates.ts');
  const sources: CandidateSource[] = [fromOperators];
  // The lab's own mutants are edits of the references: they fit no other submission.
  const folder = mutants ?? (variant === undefined ? mutantsFolder(lab.id) : undefined);
  if (mutants !== undefined && !existsSync(mutants))
    throw new UsageError(`--mutants ${mutants}: there is no such folder; name one that holds *.yaml`);
  try {
    if (folder) sources.push(fromData(lab, loadMutants(folder)));
    const bases = variant
      ? [ownBase(lab, variant, '--variant')]
      : languages.map((each) => referenceBase(lab, each));
    const equivalents = folder ? loadEquivalents(folder) : [];
    const variants = variant ? [] : variantBases(lab).filter((each) => languages.includes(each.language));
    return { bases, variants, sources, equivalents };
  } catch (error) {
    if (error instanceof MutantFileError) throw new UsageError(`--mutants ${folder}: ${error.message}`);
    throw error;
  }
}

async function journalOf(file: string | undefined) {
  const { Journal } = await import('./mutation/journal.ts');
  const { versionOfChecks } = await import('./checks-version.ts');
  try {
    return new Journal(file, file === undefined ? '' : versionOfChecks());
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `--resume ${file}: cannot be used (${code}); name a file in a folder that can be written`,
    );
  }
}

async function write(validation: Validation, { format, output }: ValidateFlags): Promise<void> {
  const { prettyValidation } = await import('./report/validation-pretty.ts');
  const coloured = pc.isColorSupported && process.stdout.isTTY === true;
  const inFormat = async (): Promise<string> => {
    if (format === 'json') return JSON.stringify(validation, undefined, 2);
    if (format === 'pretty') return prettyValidation(validation, false);
    const { matrixPage } = await import('./report/matrix-page.ts');
    return matrixPage(validation);
  };
  // With a file for the result the terminal is free for the reader.
  console.log(output || format === 'pretty' ? prettyValidation(validation, coloured) : await inFormat());
  if (output) save(output, await inFormat());
}
