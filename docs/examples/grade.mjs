/* node grade.mjs FOLDER: the verdict of each step of a submission, and the smallest input that breaks the first clause that failed. */
import { grade, render, UsageError } from 'idem-lab-checks';

try {
  const report = await grade({
    lab: 'idem-retention-lab',
    submission: process.argv[2] ?? '.',
    steps: [1, 2, 3, 4],
  });
  for (const { step, title, verdict } of report.steps) console.log(step, title, verdict);
  const broken = report.steps.flatMap(({ clauses }) => clauses).find(({ failure }) => failure);
  if (broken) console.log([broken.id, ...broken.failure.calls].join('\n  '));
  console.error(await render(report, 'tap'));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
