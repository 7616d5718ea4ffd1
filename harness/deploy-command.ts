import type { Command } from 'commander';
import { labNamed } from './command-line.ts';
import { type AnyLab, labs } from './registry.ts';

/* `labcheck deploy`. What it needs is loaded only once it is asked for: `grade` is to start fast. */

interface DeployFlags {
  readonly prefix: string;
  readonly withNode?: boolean;
}

export function addDeployCommand(program: Command): void {
  program
    .command('deploy')
    .description('lay labs out where their texts say, for learners without npm and network')
    .argument(
      '[lab...]',
      `of ${labs.map(({ id }) => id).join(', ')} (default: all)`,
      (id: string, before: AnyLab[] | undefined) => [...(before ?? []), labNamed(id)],
    )
    .requiredOption(
      '--prefix <folder>',
      "the folder of 'lab' and 'fixtures': /opt, as the labs' texts have it",
    )
    .option('--with-node', 'bring the Node along that runs this command')
    .addHelpText('after', '\nExit codes: 0 laid out, 2 wrong use, 3 what was laid out does not work.')
    .action(async (chosen: AnyLab[], { prefix, withNode }: DeployFlags) => {
      const { deploy, told } = await import('./deploy/deploy.ts');
      const order = { prefix, labs: chosen.length > 0 ? chosen : labs, withNode: withNode ?? false };
      console.log(told(deploy(order)));
    });
}
