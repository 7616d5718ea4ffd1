import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { now } from '../harness/clock.ts';
import { type Lane, LocalLane, type Run } from '../harness/lane.ts';
import { projectFile } from '../harness/project.ts';
import { type AnyLab, labs } from '../harness/registry.ts';
import { Pretty } from '../harness/report/pretty.ts';
import { plain } from '../harness/sandbox.ts';
import { openScratch } from '../harness/scratch.ts';
import { findInterpreter } from '../harness/subject/interpreter.ts';
import { moduleScriptsSubject, moduleSubject } from '../harness/subject/module.ts';
import type { OpenSubject } from '../harness/subject/subject.ts';
import { findSubmission, type Submission, scriptsOf } from '../harness/subject/submission.ts';
import * as retentionService from '../reference/idem-retention-lab/service.ts';
import * as transferApi from '../reference/idem-transfer-lab/idem-api.ts';

/*
 * Every clause of every lab as a test, titled by its sentence: of the TypeScript reference in this process, or of
 * the submission that SUBMISSION names, a folder or an entry file.
 */

const references: Readonly<Record<string, OpenSubject>> = {
  'idem-retention-lab': moduleSubject(retentionService),
  'idem-transfer-lab': moduleScriptsSubject(
    { idem_api: transferApi.main },
    projectFile('reference/idem-transfer-lab'),
  ),
};
const place = process.env.SUBMISSION;
const seconds = 60;

const judged = place === undefined ? labs : labs.filter((lab) => entryOf(lab, place) !== undefined);
if (judged.length === 0)
  throw new Error(`SUBMISSION=${place}: no entry file of a lab; name one, or its folder`);

for (const lab of judged) {
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
            const deadline = now() + seconds * 1000;
            const report = await lane.verify({
              step: step.number,
              clause: clause.id,
              deadline,
              share: deadline,
            });
            expect(report.verdict, new Pretty(lab).failures([report])).toBe('passed');
          });
        }
      });
    }
  });
}

function openLane(lab: AnyLab, folder: string): Lane {
  const run = (submission: Submission): Run => ({
    ...{ lab: lab.id, submission, folder, seed: 1, runs: undefined, callLimit: 5_000 },
    confinement: plain,
  });
  const { signal } = new AbortController();
  if (place === undefined) {
    const reference = references[lab.id];
    if (!reference) throw new Error(`no reference of ${lab.id}`);
    return new LocalLane(run({ kind: 'node', entry: `${lab.entry}.ts` }), signal, reference);
  }
  const entry = entryOf(lab, place);
  const interpreter = findInterpreter('python3') ?? 'python3';
  if (lab.kind === 'scripts') {
    return new LocalLane(run(scriptsOf(path.dirname(entry ?? ''), lab.entry, entry, interpreter)), signal);
  }
  const isPython = entry?.endsWith('.py');
  const submission: Submission = isPython
    ? { kind: 'python', entry: entry ?? '', interpreter }
    : { kind: 'node', entry: entry ?? '' };
  return new LocalLane(run(submission), signal);
}

/** The entry file of a submission of that lab, if there is one at the place. */
function entryOf(lab: AnyLab, place: string): string | undefined {
  const found = findSubmission(place, lab.entry);
  if (found.status !== 'found') return undefined;
  return path.parse(found.entry).name.replaceAll('-', '_') === lab.entry ? found.entry : undefined;
}
