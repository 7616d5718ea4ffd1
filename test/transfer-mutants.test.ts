import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { judge } from '../harness/judge.ts';
import { LocalLane } from '../harness/lane.ts';
import { fateOf } from '../harness/mutation/fate.ts';
import {
  applyEdits,
  loadMutants,
  type Mutant,
  mutantsFolder,
  type ReferenceLanguage,
} from '../harness/mutation/mutants.ts';
import { projectFile } from '../harness/project.ts';
import { labById } from '../harness/registry.ts';
import type { ClauseReport } from '../harness/report/report.ts';
import { openScratch } from '../harness/scratch.ts';
import { type Main, moduleScriptsSubject } from '../harness/subject/module.ts';
import { compile } from '../harness/subject/node.ts';
import { scriptsOf } from '../harness/subject/submission.ts';
import { python3 } from './submissions.ts';

/*
 * The transfer lab: every mutant dies in its own step, by the clause that it names, and the steps before do not mind;
 * correct submissions pass, however unusual. Scripts of a mutant that make files are run first.
 */

const lab = labById('idem-transfer-lab');
if (!lab) throw new Error('no such lab');
const { id, entry, steps } = lab;
const reference = projectFile(`reference/${id}`);
const variants = path.join(reference, 'variants');
const mutants = loadMutants(mutantsFolder(id));
const scratch = openScratch();
afterAll(() => scratch.remove());

const seed = 1;
/** Seconds a step, however busy the machine. */
const ample = 600;
/** Cases that show that a step before the mutant's own does not mind. */
const runsBefore = 2;
/** The one clause whose requests have to come from two processes. */
const atTheSameMoment = '5.2';

const entryFiles = { python: 'idem_api.py', typescript: 'idem-api.ts' } as const;

describe('the mutants', () => {
  test('leave no clause without one that it must catch', () => {
    const clauses = steps.flatMap((step) => step.clauses.map((clause) => clause.id));
    expect(clauses.filter((clause) => !mutants.some((mutant) => mutant.clause === clause))).toEqual([]);
  });

  test('are four a step at least', () => {
    const few = steps.filter(({ number }) => mutants.filter(({ step }) => step === number).length < 4);
    expect(few.map(({ number }) => number)).toEqual([]);
  });
});

describe.concurrent('mutants in Python', () => {
  each('python', async (mutant, folder) => {
    const rebuild = mutant.edits.python?.some(({ file }) => file !== 'idem_api.py' && file?.endsWith('.py'));
    const before = mutant.step > 3 ? steps.filter(({ number }) => number >= 3 && number < mutant.step) : [];
    const reports: ClauseReport[] = [];
    for (const { number } of before) reports.push(...(await judged(folder, number, runsBefore)));
    reports.push(...(await judged(folder, mutant.step, undefined, rebuild)));
    expectKilled(mutant, reports);
  });
});

describe('mutants in TypeScript', () => {
  each('typescript', async (mutant, folder) => {
    const file = path.join(folder, entryFiles.typescript);
    const bundle = compile(file, scratch.folder);
    const { main } = (await import(pathToFileURL(bundle).href)) as { main: Main };
    const submission = scriptsOf(folder, entry, file, python3);
    const run = { lab: id, submission, folder: scratch.folder, seed, callLimit: 20_000 };
    const { signal } = new AbortController();
    const inProcess = moduleScriptsSubject({ idem_api: main }, folder);
    const before = steps.filter(({ number }) => number >= 3 && number < mutant.step);
    const reports: ClauseReport[] = [];
    const verify = async (lane: LocalLane, clauses: readonly string[]) => {
      for (const clause of clauses) {
        const deadline = Date.now() + 60_000;
        const step = Number(clause.split('.')[0]);
        reports.push(await lane.verify({ step, clause, deadline, share: deadline }));
      }
      await lane.close();
    };
    await verify(
      new LocalLane({ ...run, runs: runsBefore }, signal, inProcess),
      before.flatMap(({ clauses }) => clauses.map((clause) => clause.id)),
    );
    const alone = mutant.clause === atTheSameMoment ? undefined : inProcess;
    await verify(new LocalLane({ ...run, runs: undefined }, signal, alone), [mutant.clause]);
    expectKilled(mutant, reports);
  });
});

describe.concurrent('a correct submission', () => {
  for (const name of readdirSync(variants)) {
    test(`${name} passes`, async () => {
      for (const step of [3, 4, 5, 6, 7]) expectPassed(await judged(path.join(variants, name), step));
    });
  }

  test('in Python passes', async () => {
    for (const { number } of steps)
      expectPassed(await judged(path.join(reference, entryFiles.python), number));
  });

  test('in TypeScript passes', async () => {
    for (const { number } of steps) {
      expectPassed(await judged(path.join(reference, entryFiles.typescript), number, 2));
    }
  });
});

test('two retries at the same moment are executed once, round after round', async () => {
  const [report] = (await judged(path.join(reference, entryFiles.python), 5, 100)).filter(
    (clause) => clause.id === atTheSameMoment,
  );
  expect([report?.verdict, report?.cases]).toEqual(['passed', 100]); // of one to three rounds
});

/** A test for each mutant that there is in the language, in a folder of its own. */
function each(language: ReferenceLanguage, run: (mutant: Mutant, folder: string) => Promise<void>): void {
  for (const mutant of mutants) {
    const edits = mutant.edits[language];
    if (!edits) continue;
    test(`${mutant.id} (${language}) dies at step ${mutant.step} by clause ${mutant.clause}`, async () => {
      const folder = mkdtempSync(path.join(scratch.folder, 'mutant-'));
      const unwanted = language === 'python' ? '.ts' : '.py';
      cpSync(reference, folder, {
        recursive: true,
        filter: (source) => source !== variants && !source.endsWith(unwanted),
      });
      const files = new Set(edits.map(({ file }) => file ?? entryFiles[language]));
      for (const file of files) {
        const own = edits.filter((edit) => (edit.file ?? entryFiles[language]) === file);
        const place = path.join(folder, file);
        writeFileSync(place, applyEdits(readFileSync(place, 'utf8'), own));
      }
      await run(mutant, folder);
    });
  }
}

async function judged(
  place: string,
  step: number,
  runs?: number,
  rebuild = false,
): Promise<readonly ClauseReport[]> {
  if (!lab) return [];
  const { signal } = new AbortController();
  const unset = { budget: ample, interpreter: undefined, onClause: () => {} };
  const report = await judge({
    lab,
    place,
    steps: [step],
    seed,
    runs,
    rebuild,
    interrupted: signal,
    ...unset,
  });
  return report.steps.flatMap(({ clauses }) => clauses);
}

function expectKilled({ step, clause }: Mutant, reports: readonly ClauseReport[]): void {
  expect(fateOf({ reports }, { step, clause })).toEqual({ status: 'killed' });
}

function expectPassed(reports: readonly ClauseReport[]): void {
  const others = reports.filter(({ verdict }) => verdict !== 'passed');
  expect(others.map(({ id, failure, fault }) => [id, failure?.calls, failure?.got ?? fault])).toEqual([]);
}
