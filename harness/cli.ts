#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { addBatchCommand } from './batch-command.ts';
import { exitCodes, labDirs, labDirsOfEnvironment, wrongUse } from './command-line.ts';
import { addDeployCommand } from './deploy-command.ts';
import { addExplainCommand } from './explain-command.ts';
import { addGradeCommand } from './grade-command.ts';
import { staff } from './messages/staff.ts';
import { addMutationReportCommand } from './mutation-report-command.ts';
import { addNewCommand } from './new-command.ts';
import { allLabs } from './registry.ts';
import { harmlessLine } from './report/harmless.ts';
import { GraderFault } from './subject/subject.ts';
import { UsageError } from './usage-error.ts';
import { addValidateCommand } from './validate-command.ts';
import { addWatchCommand } from './watch-command.ts';
import { addWorksheetCommand } from './worksheet-command.ts';

const program = new Command('labcheck')
  .description('Contract checks for labs on idempotency keys over SQLite.')
  .exitOverride()
  .showSuggestionAfterError(false)
  .configureHelp({ showGlobalOptions: true })
  .option(
    '--lab-dir <dir>',
    'a folder of a lab, or of labs, beside those that come with it; repeatable (also: $LABCHECK_LAB_DIR)',
    labDirs,
  )
  .hook('preSubcommand', async (command) => {
    const [name, part] = command.args;
    if (name === 'new' && part === 'lab') return; // where there may be none yet
    const dirs: readonly string[] = [...labDirsOfEnvironment(), ...(command.opts().labDir ?? [])];
    if (dirs.length > 0) await (await import('./lab-dir.ts')).addLabDirs(dirs);
  })
  .configureOutput({ writeErr: (text) => process.stderr.write(text) });

program
  .command('list')
  .description('the labs and their steps')
  .action(() => {
    for (const lab of allLabs()) {
      console.log(`${lab.id}  ${lab.title} (${lab.budget} s a step)`);
      for (const { number, title, clauses } of lab.steps)
        console.log(`  ${number}  ${title}, ${clauses.length} clauses`);
    }
  });

addGradeCommand(program);
addBatchCommand(program);
addExplainCommand(program);
addValidateCommand(program);
addWorksheetCommand(program);
addMutationReportCommand(program);
addDeployCommand(program);
addWatchCommand(program);
addNewCommand(program);

function ownFault(error: Error): void {
  console.error(`labcheck: ${staff.ownFault}\n${error.stack}`);
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
    console.error(`labcheck: ${harmlessLine(error.message)}`);
    process.exitCode = wrongUse;
  } else if (error instanceof GraderFault) {
    console.error(`labcheck: ${harmlessLine(error.message)}`);
    process.exitCode = exitCodes.undecided;
  } else {
    ownFault(error as Error);
  }
}
