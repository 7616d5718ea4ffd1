import path from 'node:path';
import { afterAll, beforeAll, describe, test, vi } from 'vitest';
import { type ClauseOptions, defaultCases } from '../../harness/contract.ts';
import { LocalLane } from '../../harness/lane.ts';
import type { AnyLab } from '../../harness/registry.ts';
import type { ClauseReport } from '../../harness/report/report.ts';
import { plain } from '../../harness/sandbox.ts';
import { openScratch, type Scratch } from '../../harness/scratch.ts';
import type { OpenSubject } from '../../harness/subject/subject.ts';

/*
 * Every clause as a test of a TypeScript reference in this process, for Stryker: only here does the code see which
 * mutant is active. Each test loads the reference anew, so that what runs while a module loads (its statements in SQL,
 * its constants) counts as covered by the clauses, too.
 */

const seed = 1;
/** Of a clause's cases, this share: a mutant is to be caught by a clause, not by the last of its cases. */
const share = 0.5;
/** How long a clause may take, however busy the machine. */
const ample = 100_000;

export interface Suite {
  readonly steps: readonly number[];
  /** Loads the reference; `folder` is for the databases. */
  open(folder: string): Promise<OpenSubject>;
}

export function testClauses(title: string, lab: AnyLab, { steps, open }: Suite): void {
  describe(title, () => {
    let scratch: Scratch;
    beforeAll(() => {
      scratch = openScratch();
    });
    afterAll(() => scratch.remove());

    for (const { number, clauses } of lab.steps.filter((step) => steps.includes(step.number))) {
      for (const { id, statement, options } of clauses) {
        test(`${id} ${statement}`, async () => {
          vi.resetModules();
          const { folder } = scratch;
          const lane = openLane(lab, folder, await open(folder));
          const deadline = performance.timeOrigin + performance.now() + ample;
          const limits = { deadline, share: deadline, shrinkTime: 0, runs: casesOf(options) };
          const report = await lane.verify({ step: number, clause: id, ...limits });
          await lane.close();
          if (report.verdict !== 'passed') throw new Error(told(report));
        });
      }
    }
  });
}

function casesOf({ cases = defaultCases }: ClauseOptions): number {
  return Math.ceil(cases * share);
}

function openLane(lab: AnyLab, folder: string, subject: OpenSubject): LocalLane {
  const submission = { kind: 'node', entry: path.join(folder, `${lab.entry}.ts`) } as const;
  return new LocalLane(
    { lab: lab.id, submission, folder, seed, runs: undefined, callLimit: ample, confinement: plain },
    new AbortController().signal,
    subject,
  );
}

/** One line, which becomes part of Stryker's report. */
function told({ verdict, failure, fault }: ClauseReport): string {
  if (!failure) return `${verdict}: ${fault}`;
  const { kind, calls, expected, got } = failure;
  return `${kind}: ${calls.join('; ')}; expected ${expected}; got ${got}`.slice(0, 500);
}
