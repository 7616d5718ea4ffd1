import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { grade } from '../harness/grade.ts';
import { projectFile } from '../harness/project.ts';
import { labById } from '../harness/registry.ts';
import { Pretty } from '../harness/report/pretty.ts';
import { openScratch } from '../harness/scratch.ts';
import { findSubmission, type Submission } from '../harness/subject/submission.ts';
import { python3, usualConfinement } from './submissions.ts';

/*
 * What no test may ever break: a correct submission passes, however unusual it is. Each variant says in its first
 * lines what is unusual.
 */

const id = 'idem-retention-lab';
const reference = projectFile(`reference/${id}`);
const variants = readdirSync(`${reference}/variants`);
const lab = labById(id) ?? expect.unreachable(id);
const timeout = 600_000; // of a test, on a machine that has much else to do
const confinement = await usualConfinement();

/** Cases a clause. VARIANT_RUNS and VARIANT_SEEDS ask for more: all of them, on many seeds, take minutes. */
const runs = Number(process.env.VARIANT_RUNS ?? 25);
const seeds = Array.from({ length: Number(process.env.VARIANT_SEEDS ?? 1) }, (_, index) => index + 1);

describe.concurrent('variants', () => {
  test.each(variants)('%s passes', { timeout }, async (name) => {
    const submission = submissionIn(`${reference}/variants/${name}`);
    for (const seed of seeds) expect(await notPassed(submission, seed, runs)).toBe('');
  });
});

describe.concurrent('references', () => {
  test.each([
    { entry: 'service.py', seeds: 50, runs: 10 },
    { entry: 'service.ts', seeds: 5, runs: 10 }, // whose processes take longer to start
  ])('$entry passes on $seeds seeds', { timeout }, async ({ entry, seeds, runs }) => {
    const submission = submissionIn(`${reference}/${entry}`);
    for (let seed = 0; seed < seeds; seed++) expect(await notPassed(submission, seed, runs)).toBe('');
  });
});

function submissionIn(place: string): Submission {
  const found = findSubmission(place, lab.entry);
  if (found.status !== 'found') throw new Error(`${place}: ${found.status}`);
  const { kind, entry } = found;
  return kind === 'python' ? { kind, entry, interpreter: python3 } : { kind, entry };
}

/** All that is to be said of clauses that did not pass; empty where all did. */
async function notPassed(submission: Submission, seed: number, runs: number | undefined): Promise<string> {
  const scratch = openScratch();
  try {
    const steps = await grade({
      lab: id,
      steps: lab.steps.map(({ number }) => number),
      submission,
      seed,
      runs,
      budget: lab.budget,
      threads: 1,
      folder: scratch.folder,
      confinement,
      interrupted: new AbortController().signal,
    });
    const clauses = steps.flatMap((step) => step.clauses).filter(({ verdict }) => verdict !== 'passed');
    const pretty = new Pretty(lab);
    return [
      ...clauses.map((clause) => pretty.clause(clause)),
      ...clauses.map((clause) => pretty.failures([clause])),
    ]
      .filter((text) => text !== '')
      .join('\n');
  } finally {
    scratch.remove();
  }
}
