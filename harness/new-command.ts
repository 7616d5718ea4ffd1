import { type Command, InvalidArgumentError, Option } from 'commander';
import { labNamed } from './command-line.ts';
import type { Lab } from './contract.ts';
import type { ReferenceLanguage } from './mutation/mutants.ts';
import type { MutantFlags } from './new/mutant.ts';
import type { AnyLab } from './registry.ts';

/* `labcheck new`. What it needs is loaded only once it is asked for: `grade` is to start fast. */

interface Of {
  readonly lab: AnyLab;
}

export function addNewCommand(program: Command): void {
  const command = program
    .command('new')
    .description('lay out the files of a lab, a step, a mutant or a variant');

  command
    .command('lab')
    .description('a small lab that works, in a folder of its name')
    .argument('<name>', 'the id of the lab', slug)
    .addOption(
      new Option('--kind <kind>', 'what is submitted: a module, or commands')
        .choices(['functions', 'scripts'])
        .default('functions'),
    )
    .action(async (name: string, { kind }: Pick<Lab, 'kind'>) => {
      const { newLab } = await import('./new/lab.ts');
      newLab(name, kind);
    });

  command
    .command('step')
    .description('the contract file of one step more')
    .argument('<name>', 'what the step asks for, as take-back', slug)
    .requiredOption('--lab <lab>', 'the lab', labNamed)
    .action(async (name: string, { lab }: Of) => {
      const { newStep } = await import('./new/step.ts');
      newStep(name, lab);
    });

  command
    .command('mutant')
    .description('a wrong submission, as an edit of the reference')
    .argument('<name>', 'the id of the mutant', slug)
    .requiredOption('--lab <lab>', 'the lab', labNamed)
    .requiredOption('--clause <id>', 'the clause that has to catch it')
    .requiredOption('--anchor <text>', 'what stands once in the reference')
    .requiredOption('--replacement <text>', 'what the mutant has there')
    .requiredOption('--why <sentence>', 'what it does, and why that is wrong')
    .addOption(languages())
    .option('--file <name>', 'the file of the reference (default: its entry file)')
    .action(async (name: string, { lab, ...flags }: Of & MutantFlags) => {
      const { newMutant } = await import('./new/mutant.ts');
      newMutant(name, lab, flags);
    });

  command
    .command('variant')
    .description('a copy of the reference, to be made unusual')
    .argument('<name>', 'what is unusual, as kept-open', slug)
    .requiredOption('--lab <lab>', 'the lab', labNamed)
    .addOption(languages())
    .action(async (name: string, { lab, language }: Of & { readonly language?: ReferenceLanguage }) => {
      const { newVariant } = await import('./new/variant.ts');
      newVariant(name, lab, language);
    });
}

function languages(): Option {
  return new Option('--language <name>', "of the reference (default: the lab's first)").choices([
    'python',
    'typescript',
  ]);
}

/** A name that can be an id and a file's. */
function slug(text: string): string {
  if (/^[a-z0-9]+(-[a-z0-9]+)*$/.test(text) && text.length <= 64) return text;
  throw new InvalidArgumentError('Write small letters and digits, in words joined by hyphens.');
}
