import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { judge } from '../harness/judge.ts';
import { projectFile } from '../harness/project.ts';
import { labById } from '../harness/registry.ts';
import type { ClauseReport } from '../harness/report/report.ts';

/* The transfer lab: correct submissions pass, however unusual. */

const lab = labById('idem-transfer-lab') ?? expect.unreachable();
const { id, steps } = lab;
const reference = projectFile(`reference/${id}`);
const variants = path.join(reference, 'variants');

/** Seconds a step, however busy the machine. */
const ample = 600;

/** Milliseconds of a test, on a machine that has much else to do. */
const timeout = 600_000;

const entryFiles = { python: 'idem_api.py', typescript: 'idem-api.ts' } as const;

describe.concurrent('a correct submission', () => {
  for (const name of readdirSync(variants)) {
    test(`${name} passes`, { timeout }, async () => {
      for (const step of [3, 4, 5, 6, 7]) expectPassed(await judged(path.join(variants, name), step));
    });
  }

  test('in Python passes', { timeout }, async () => {
    for (const { number } of steps)
      expectPassed(await judged(path.join(reference, entryFiles.python), number));
  });

  test('in TypeScript passes', { timeout }, async () => {
    for (const { number } of steps) {
      expectPassed(await judged(path.join(reference, entryFiles.typescript), number, 2));
    }
  });
});

test('two retries at the same moment are executed once, round after round', { timeout }, async () => {
  const [report] = (await judged(path.join(reference, entryFiles.python), 5, 100)).filter(
    (clause) => clause.id === '5.2',
  );
  expect([report?.verdict, report?.cases]).toEqual(['passed', 100]); // of one to three rounds
});

async function judged(place: string, step: number, runs?: number): Promise<readonly ClauseReport[]> {
  const { signal } = new AbortController();
  const report = await judge({
    ...{ lab, place, steps: [step], seed: 1, runs, budget: ample, interpreter: undefined },
    ...{ interrupted: signal, onClause: () => {} },
  });
  return report.steps.flatMap(({ clauses }) => clauses);
}

function expectPassed(reports: readonly ClauseReport[]): void {
  const others = reports.filter(({ verdict }) => verdict !== 'passed');
  expect(others.map(({ id, failure, fault }) => [id, failure?.calls, failure?.got ?? fault])).toEqual([]);
}
