import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { referenceBase } from '../harness/mutation/base.ts';
import { fromData } from '../harness/mutation/candidates.ts';
import { Journal } from '../harness/mutation/journal.ts';
import {
  applyEdits,
  type Edit,
  EditError,
  loadMutants,
  MutantFileError,
  mutantFileParser,
  mutantsFolder,
} from '../harness/mutation/mutants.ts';
import { validate } from '../harness/mutation/validate.ts';
import { localWorker } from '../harness/mutation/workers.ts';
import { labs } from '../harness/registry.ts';
import { prettyValidation } from '../harness/report/validation-pretty.ts';
import { plain } from '../harness/sandbox.ts';
import { openScratch } from '../harness/scratch.ts';
import { python3 } from './submissions.ts';

/*
 * Every mutant that is written down dies in its own step, by the clause that it names; the steps before do not mind.
 * `labcheck validate` proves the same, and more: variants, operators and other seeds take minutes.
 */

/** Commands take longer than functions. */
const seedsOf = { functions: [1, 2], scripts: [1] };
const timeout = 900_000; // of all mutants of a lab, on a machine that has much else to do
const scratch = openScratch();
afterAll(() => scratch.remove());

describe.each(labs)('the mutants of $id', (lab) => {
  const mutants = loadMutants(mutantsFolder(lab.id));

  test('leave no clause without one that it must catch', () => {
    const clauses = lab.steps.flatMap((step) => step.clauses.map(({ id }) => id));
    expect(clauses.filter((id) => !mutants.some(({ clause }) => clause === id))).toEqual([]);
  });

  test('are four a step at least', () => {
    const few = lab.steps.filter(({ number }) => mutants.filter(({ step }) => step === number).length < 4);
    expect(few.map(({ number }) => number)).toEqual([]);
  });

  test('die as they should', { timeout }, async () => {
    const interrupted = new AbortController().signal;
    const folder = mkdtempSync(path.join(scratch.folder, 'mutants-'));
    const validation = await validate({
      ...{ lab, seeds: seedsOf[lab.kind], equivalents: [], variants: [], sources: [fromData(lab, mutants)] },
      bases: [referenceBase(lab, 'python'), referenceBase(lab, 'typescript')],
      ...{ quick: false, wanted: () => true, inProcess: true, interpreter: python3, interrupted },
      confinement: plain,
      workers: Array.from({ length: 4 }, () => localWorker(lab, folder, interrupted)),
      journal: new Journal(undefined, ''),
      progress: { begin: () => {}, done: () => {}, end: () => {} },
    });
    const edits = mutants.flatMap((mutant) => Object.keys(mutant.edits));
    const killed = validation.mutants.filter(
      ({ origin, status }) => origin !== 'canary' && status === 'killed',
    );
    expect([validation.verdict, killed.length], prettyValidation(validation, false)).toEqual([
      'passed',
      edits.length,
    ]);
  });
});

test('the mutants of the worksheet are one for each step of its lab', () => {
  const [lab] = labs;
  const steps = loadMutants(mutantsFolder(lab?.id ?? '')).filter(({ origin }) => origin === 'worksheet');
  expect(steps.map(({ step }) => step)).toEqual(lab?.steps.map(({ number }) => number));
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
