import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Lane, LocalLane, type Run } from '../harness/lane.ts';
import { type AnyLab, labs } from '../harness/registry.ts';
import { Pretty } from '../harness/report/pretty.ts';
import { openScratch } from '../harness/scratch.ts';
import { findInterpreter } from '../harness/subject/interpreter.ts';
import { moduleSubject } from '../harness/subject/module.ts';
import { findSubmission, type Submission } from '../harness/subject/submission.ts';
import * as retentionService from '../reference/idem-retention-lab/service.ts';

/*
 * Every clause of every lab as a test, titled by its sentence: of the TypeScript reference in this process, or of
 * the submission that SUBMISSION names, a folder or an entry file.
 */

const references: Readonly<Record<string, object>> = { 'idem-retention-lab': retentionService };
const place = process.env.SUBMISSION;
const seconds = 60;

for (const lab of labs) {
  describe(lab.title, () => {
    const scratch = openScratch();
    let lane: Lane;
    beforeAll(() => {
      lane = openLane(lab, scratch.folder);
    });
    afterAll(async () => {
      await lane.close();
      scratch.remove();
    });

    for (const step of lab.steps) {
      describe(`step ${step.number}: ${step.title}`, () => {
        for (const clause of step.clauses) {
          test(`${clause.id} ${clause.statement}`, async () => {
            const deadline = Date.now() + seconds * 1000;
            const report = await lane.verify({
              step: step.number,
              clause: clause.id,
              deadline,
              share: deadline,
            });
            expect(report.verdict, new Pretty(false).failures([report])).toBe('passed');
          });
        }
      });
    }
  });
}

function openLane(lab: AnyLab, folder: string): Lane {
  const run = (submission: Submission): Run => ({
    ...{ lab: lab.id, submission, folder, seed: 1, runs: undefined, callLimit: 5_000 },
  });
  const { signal } = new AbortController();
  if (place === undefined) {
    const reference = references[lab.id];
    if (!reference) throw new Error(`no reference of ${lab.id}`);
    return new LocalLane(run({ kind: 'node', entry: `${lab.entry}.ts` }), signal, moduleSubject(reference));
  }
  const found = findSubmission(place, lab.entry);
  if (found.status !== 'found')
    throw new Error(`SUBMISSION=${place}: ${found.status}; name a folder or an entry file`);
  const { kind, entry } = found;
  const interpreter = findInterpreter('python3') ?? 'python3';
  return new LocalLane(run(kind === 'python' ? { kind, entry, interpreter } : { kind, entry }), signal);
}
