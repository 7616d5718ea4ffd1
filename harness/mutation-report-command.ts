import type { Command } from 'commander';
import { save } from './command-line.ts';
import { UsageError } from './usage-error.ts';

/* `labcheck mutation-report`. What it needs is loaded only once it is asked for: `grade` is to start fast. */

interface Flags {
  readonly stryker?: string;
  readonly output: string;
}

export function addMutationReportCommand(program: Command): void {
  program
    .command('mutation-report')
    .description('all mutants in one page, in the app of Mutation Testing Elements')
    .argument('<validation...>', 'results of `labcheck validate --format json --output FILE`')
    .option('--stryker <file>', "Stryker's own report of the references, reports/mutation/mutation.json")
    .requiredOption('--output <file>', 'where the page goes')
    .addHelpText('after', '\nExit codes: 0 written, 2 wrong use.')
    .action(mutationReport);
}

async function mutationReport(files: readonly string[], { stryker, output }: Flags): Promise<void> {
  const { readElements, readValidation } = await import('./mutation/result-files.ts');
  const { mutationElements, mutationElementsPage, SourceDiffers } = await import(
    './report/mutation-elements.ts'
  );
  const validations = files.map((file) => readValidation(file));
  const others = stryker === undefined ? undefined : readElements(stryker, `--stryker ${stryker}`);
  try {
    save(output, mutationElementsPage(mutationElements(validations, others)));
  } catch (error) {
    if (error instanceof SourceDiffers) throw new UsageError(`--stryker ${stryker}: ${error.message}`);
    throw error;
  }
}
