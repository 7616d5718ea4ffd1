import type { Command } from 'commander';
import {
  interpreterOption,
  interruption,
  labNamed,
  langOption,
  requireSteps,
  stepNumbers,
  submissionAt,
  submissionOption,
} from './command-line.ts';
import { type Tongue, tongueOfReader } from './messages/texts.ts';
import { type AnyLab, labs } from './registry.ts';

/* `labcheck watch`. What it needs is loaded only once it is asked for: `grade` is to start fast. */

interface WatchFlags {
  readonly submission?: string;
  readonly step?: number[];
  readonly interpreter?: string;
  readonly lang?: Tongue;
}

export function addWatchCommand(program: Command): void {
  program
    .command('watch')
    .description('judge a submission again at every save, what the save touched first')
    .argument('<lab>', `one of ${labs.map(({ id }) => id).join(', ')}`, labNamed)
    .addOption(submissionOption())
    .option('--step <number...>', 'only these steps', stepNumbers)
    .addOption(interpreterOption())
    .addOption(langOption())
    .addHelpText('after', '\nExit codes: 0 ended by Ctrl-C, 2 wrong use.')
    .action(async (lab: AnyLab, { submission, step, interpreter, lang }: WatchFlags) => {
      requireSteps(lab, step);
      const { watch } = await import('./watch/watch.ts');
      await watch({
        lab,
        place: submissionAt(submission, lab),
        steps: step,
        interpreter,
        tongue: tongueOfReader(lang, process.env),
        ended: interruption(),
      });
    });
}
