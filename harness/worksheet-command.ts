import type { Command } from 'commander';
import { labNamed, langOption, requireSteps, stepNumbers } from './command-line.ts';
import { type AnyLab, labs } from './registry.ts';
import type { WorksheetFlags } from './worksheet/session.ts';

/* `labcheck worksheet`. What it needs is loaded only once it is asked for: `grade` is to start fast. */

export function addWorksheetCommand(program: Command): void {
  program
    .command('worksheet')
    .description('wrong fragments, a step each: which case would show the difference?')
    .argument('<lab>', `one of ${labs.map(({ id }) => id).join(', ')}`, labNamed)
    .option('--step <number...>', 'only these steps', stepNumbers)
    .option('--submission <path>', 'put the fragments into this code of yours, where their place is found')
    .option('--interpreter <path>', 'the Python that runs the code (default: python3 on PATH)')
    .addOption(langOption())
    .option('--reveal', 'show the answers at once')
    .addHelpText('after', '\nExit codes: 0 all answered, 2 wrong use, 3 an answer could not be found.')
    .action(async (lab: AnyLab, flags: WorksheetFlags) => {
      requireSteps(lab, flags.step);
      const { session } = await import('./worksheet/session.ts');
      await session(lab, flags);
    });
}
