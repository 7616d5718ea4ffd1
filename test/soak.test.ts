import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { judge } from '../harness/judge.ts';
import { applyEdits, loadMutants, mutantsFolder } from '../harness/mutation/mutants.ts';
import { projectFile } from '../harness/project.ts';
import { knownLab } from '../harness/registry.ts';
import type { Report } from '../harness/report/report.ts';
import { openScratch } from '../harness/scratch.ts';
import { attacks, layOut } from './attacks/attacks.ts';

/*
 * Many gradings in one process, right, wrong and hostile ones mixed at random: no wrong verdict, and nothing is left: no
 * descriptor, no process, no file, no memory. SOAK=1000 asks for so many, and prints the figures.
 */

const gradings = Number(process.env.SOAK ?? 30);
const asked = process.env.SOAK !== undefined;
const seed = Number(process.env.SOAK_SEED ?? 1);

const id = 'idem-retention-lab';
const lab = knownLab(id);
const scratch = openScratch();
const temp = path.join(scratch.folder, 'temp');
const usual = process.env.TMPDIR;
beforeAll(() => {
  mkdirSync(temp);
  process.env.TMPDIR = temp;
});
afterAll(() => {
  if (usual === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = usual;
  scratch.remove();
});

/** A submission, the step that it is asked, and its verdict. */
interface Grading {
  readonly name: string;
  readonly step: number;
  readonly verdict: 'passed' | 'failed';
  /** Seconds. */
  readonly budget: number;
  readonly layOut: (folder: string) => string;
}

const steps = lab.steps.map(({ number }) => number);
const reference = readFileSync(projectFile(`reference/${id}/service.py`), 'utf8');
const right: readonly Grading[] = readdirSync(projectFile(`reference/${id}/variants`))
  .filter((name) => name !== 'slow')
  .flatMap((name) =>
    steps.map((step) => ({
      ...{ name, step, verdict: 'passed' as const, budget: lab.budget },
      layOut: () => projectFile(`reference/${id}/variants/${name}`),
    })),
  );
const wrong: readonly Grading[] = loadMutants(mutantsFolder(id)).flatMap(({ id: name, step, edits }) => {
  const { python } = edits;
  if (!python) return [];
  const layOut = (folder: string) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'service.py'), applyEdits(reference, python));
    return folder;
  };
  return [{ name, step, verdict: 'failed' as const, budget: lab.budget, layOut }];
});
const hostile: readonly Grading[] = attacks()
  .filter((attack) => attack.lab === id && attack.steps.length === 1)
  .map((attack) => ({
    ...{ name: attack.id, step: attack.steps[0] ?? 0, verdict: attack.verdict, budget: attack.budget },
    layOut: (folder: string) => layOut(attack, folder),
  }));

async function judged({ step, budget, layOut }: Grading): Promise<Report | undefined> {
  const place = mkdtempSync(path.join(scratch.folder, 'soak-'));
  try {
    return await judge({
      ...{ lab, place: layOut(path.join(place, 'submission')), steps: [step], budget },
      ...{ seed: undefined, runs: undefined, interpreter: undefined },
      interrupted: new AbortController().signal,
      onClause: () => {},
    });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** What this process holds. */
function held() {
  globalThis.gc?.();
  const children = readdirSync(`/proc/${process.pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${process.pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  );
  return {
    descriptors: readdirSync('/proc/self/fd').length,
    children: children.length,
    files: readdirSync(temp).length,
    megabytes: Math.round(process.memoryUsage.rss() / 2 ** 20),
  };
}

test(`${gradings} gradings in a row`, { timeout: gradings * 30_000 }, async () => {
  const mixed = fc.sample(
    fc.oneof(...[right, wrong, hostile].map((gradings) => fc.constantFrom(...gradings))),
    { seed, numRuns: gradings },
  );
  // What compiles TypeScript is started once, and stays.
  const typescript = right.find(({ name }) => name === 'typescript-async');
  for (const first of [typescript, right[0], wrong[0]]) if (first) await judged(first);
  const before = held();
  const wrongly: string[] = [];
  const started = performance.now();
  for (const [index, grading] of mixed.entries()) {
    const report = await judged(grading);
    if (report?.verdict !== grading.verdict) {
      const failures = report?.steps.flatMap(({ clauses }) =>
        clauses.flatMap(({ id, failure, fault }) =>
          failure || fault ? `${id} ${failure?.kind ?? fault}` : [],
        ),
      );
      wrongly.push(`${grading.name}, step ${grading.step}: ${report?.verdict} (${failures?.join(', ')})`);
    }
    if (asked && (index + 1) % 50 === 0) {
      const seconds = Math.round((performance.now() - started) / 1000);
      console.log(JSON.stringify({ gradings: index + 1, seconds, ...held(), wrongly }));
    }
  }
  expect(wrongly).toEqual([]);
  const after = held();
  expect(after.descriptors).toBeLessThanOrEqual(before.descriptors + 2);
  expect(after.children).toBe(before.children);
  expect(after.files).toBe(before.files);
});
