import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';
import { afterAll, describe, expect, test } from 'vitest';
import { grade } from '../harness/grade.ts';
import { LocalLane } from '../harness/lane.ts';
import { fateOf } from '../harness/mutation/fate.ts';
import {
  applyEdits,
  type Edit,
  EditError,
  loadMutants,
  type Mutant,
  MutantFileError,
  mutantFileParser,
  mutantsFolder,
  type ReferenceLanguage,
  referenceLanguages,
  referenceSource,
} from '../harness/mutation/mutants.ts';
import { sqliteModule } from '../harness/project.ts';
import { type AnyLab, labById, labs } from '../harness/registry.ts';
import type { ClauseReport } from '../harness/report/report.ts';
import { moduleSubject } from '../harness/subject/module.ts';
import type { OpenSubject } from '../harness/subject/subject.ts';
import type { Submission } from '../harness/subject/submission.ts';
import { python3, Workshop } from './submissions.ts';

/*
 * Every mutant dies in its own step, by the clause that it names, whatever the seed; the steps before do not mind.
 * With the first seed a submission is graded as a learner's is; with the others the named clause alone has to catch
 * it. Starting Node for each case would cost most of the time: the field's mistakes in TypeScript run in this
 * process, against the named clause.
 */

const firstSeed = 1;
const otherSeeds: Readonly<Record<Mutant['origin'], readonly number[]>> = { worksheet: [2, 3], field: [2] };
/** Cases that show that a step before the mutant's own does not mind. */
const runsBefore = 3;
const seconds = 45;

const lab = labNamed('idem-retention-lab');
const mutants = loadMutants(mutantsFolder(lab.id));
const workshop = new Workshop();
afterAll(() => workshop.remove());

describe('the mutants', () => {
  test('leave no clause without one that it must catch', () => {
    const clauses = lab.steps.flatMap((step) => step.clauses.map(({ id }) => id));
    expect(clauses.filter((id) => !mutants.some(({ clause }) => clause === id))).toEqual([]);
  });

  test('of the worksheet are one for each step', () => {
    expect(of('worksheet').map(({ step }) => step)).toEqual(lab.steps.map(({ number }) => number));
  });
});

describe.concurrent('mutants in Python', () => {
  each(mutants, 'python', async (mutant, submission) => {
    expectKilled(mutant, await gradeMutant(mutant, submission));
    for (const seed of otherSeeds[mutant.origin])
      expectKilled(mutant, await verify(mutant.clause, submission, seed));
  });
});

describe.concurrent('mutants of the worksheet in TypeScript', () => {
  each(of('worksheet'), 'typescript', async (mutant, submission) => {
    expectKilled(mutant, await gradeMutant(mutant, submission));
  });
});

describe('mutants of the field in TypeScript', () => {
  each(of('field'), 'typescript', async (mutant, submission) => {
    const open = moduleSubject(await importTypeScript(submission.entry));
    expectKilled(mutant, await verify(mutant.clause, submission, firstSeed, open));
  });
});

function labNamed(id: string): AnyLab {
  const lab = labById(id);
  if (!lab) throw new Error(`no lab ${id}`);
  return lab;
}

function of(origin: Mutant['origin']): readonly Mutant[] {
  return mutants.filter((mutant) => mutant.origin === origin);
}

/** A test for each mutant that there is in the language, with its submission written out. */
function each(
  mutants: readonly Mutant[],
  language: ReferenceLanguage,
  run: (mutant: Mutant, submission: Submission) => Promise<void>,
): void {
  for (const mutant of mutants) {
    const { id, step, clause, edits } = mutant;
    const own = edits[language];
    if (!own) continue;
    test(`${id} (${language}) dies at step ${step} by clause ${clause}`, async () => {
      const source = applyEdits(referenceSource(lab.id, lab.entry, language), own);
      await run(mutant, write(source, language));
    });
  }
}

function expectKilled({ step, clause }: Mutant, reports: readonly ClauseReport[]): void {
  expect(fateOf({ reports }, { step, clause })).toEqual({ status: 'killed' });
}

function write(source: string, language: ReferenceLanguage): Submission {
  const name = lab.entry + referenceLanguages[language];
  const entry = path.join(workshop.write({ [name]: source }), name);
  return language === 'python' ? { kind: 'python', entry, interpreter: python3 } : { kind: 'node', entry };
}

async function gradeMutant({ step }: Mutant, submission: Submission): Promise<readonly ClauseReport[]> {
  const before = Array.from({ length: step - 1 }, (_, index) => index + 1);
  return [...(await gradeSteps(before, submission, runsBefore)), ...(await gradeSteps([step], submission))];
}

async function gradeSteps(
  steps: readonly number[],
  submission: Submission,
  runs?: number,
): Promise<readonly ClauseReport[]> {
  const { folder } = workshop;
  const reports = await grade({
    ...{ lab: lab.id, steps, submission, seed: firstSeed, runs, budget: seconds, threads: 1, folder },
    interrupted: new AbortController().signal,
  });
  return reports.flatMap(({ clauses }) => clauses);
}

/** One clause alone; `open` is given where the submission runs in this process. */
async function verify(
  clause: string,
  submission: Submission,
  seed: number,
  open?: OpenSubject,
): Promise<readonly ClauseReport[]> {
  const { folder } = workshop;
  const lane = new LocalLane(
    { lab: lab.id, submission, folder, seed, runs: undefined, callLimit: seconds * 1000 },
    new AbortController().signal,
    open,
  );
  const deadline = performance.timeOrigin + performance.now() + seconds * 1000;
  const report = await lane.verify({ step: Number.parseInt(clause, 10), clause, deadline, share: deadline });
  await lane.close();
  return [report];
}

/** The module of a TypeScript file that lies outside the project, with the project's own SQLite. */
async function importTypeScript(file: string): Promise<object> {
  const { code } = transformSync(readFileSync(file, 'utf8'), { loader: 'ts' });
  const compiled = `${file}.mjs`;
  writeFileSync(compiled, code.replace('"better-sqlite3"', JSON.stringify(sqliteModule())));
  return import(/* @vite-ignore */ pathToFileURL(compiled).href);
}

describe('the fate of a mutant', () => {
  const reference = referenceSource(lab.id, lab.entry, 'python');
  const fate = async (source: string) =>
    fateOf({ reports: await gradeSteps([1, 2], write(source, 'python'), runsBefore) }, { step: 2 });

  test('what does not load is not killed', async () => {
    expect(await fate(`${reference}\ndef reserve(:`)).toMatchObject({ status: 'stillborn' });
  });

  test('what ends its process is not killed', async () => {
    const dies = `${reference}\nimport os\ndef reserve(*_): os._exit(1)\n`;
    expect(await fate(dies)).toMatchObject({ status: 'crash' });
  });

  test('a failure in a step before its own is no kill', async () => {
    const strays = `${reference}\ndef init_db(path): raise OSError\n`;
    expect(await fate(strays)).toMatchObject({ status: 'killed elsewhere' });
  });

  test('the reference itself survives', async () => {
    expect(await fate(reference)).toEqual({ status: 'survived' });
  });
});

describe('edits', () => {
  const problem = (source: string, edits: readonly Edit[]) => {
    try {
      applyEdits(source, edits);
    } catch (error) {
      if (error instanceof EditError) return error.problem;
      throw error;
    }
    return undefined;
  };

  test('are all made to the source as given, whatever their order', () => {
    const edits = [
      { anchor: 'b', replacement: 'a' },
      { anchor: 'a', replacement: 'bb' },
    ];
    expect(applyEdits('ab', edits)).toBe('bba');
  });

  test.each([
    ['anchor gone', [{ anchor: 'x', replacement: 'y' }]],
    ['anchor twice', [{ anchor: 'a', replacement: 'y' }]],
    ['anchor twice', [{ anchor: 'aa', replacement: 'y' }]],
    ['nothing changes', [{ anchor: 'b', replacement: 'b' }]],
    [
      'edits overlap',
      [
        { anchor: 'ab', replacement: '' },
        { anchor: 'bc', replacement: '' },
      ],
    ],
  ])('%s', (expected, edits) => {
    expect(problem('aaabc', edits)).toBe(expected);
  });
});

describe('a file of mutants', () => {
  const parseFile = mutantFileParser();
  const mutant = (changes: object) =>
    JSON.stringify([
      {
        ...{ id: 'a', step: 1, clause: '1.1', origin: 'field', why: 'It is wrong.' },
        ...{ edits: { python: [{ anchor: 'a', replacement: 'b' }] }, ...changes },
      },
    ]);

  test.each(labs.map(({ id }) => id))('of %s is read', (id) => {
    expect(loadMutants(mutantsFolder(id)).length).toBeGreaterThan(0);
  });

  test('is read', () => {
    expect(parseFile(mutant({}), 'some.yaml')).toHaveLength(1);
  });

  test.each([
    ['that is no YAML', '- id: [', 'some.yaml'],
    ['with a member that nobody knows', mutant({ wy: 'It is wrong.' }), 'additional properties'],
    ['without edits', mutant({ edits: {} }), '/0/edits'],
    ['of the worksheet in one language only', mutant({ origin: 'worksheet' }), 'typescript'],
    ["that names another step's clause", mutant({ clause: '2.1' }), 'is of step 1'],
  ])('%s is refused', (_, text, message) => {
    expect(() => parseFile(text, 'some.yaml')).toThrow(MutantFileError);
    expect(() => parseFile(text, 'some.yaml')).toThrow(message);
  });
});
