import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { Bench } from '../harness/bench.ts';
import { clause, expectSame, type Lab, step } from '../harness/contract.ts';
import { type Base, ownBase, referenceBase } from '../harness/mutation/base.ts';
import { type CandidateSource, candidateOf, fromData } from '../harness/mutation/candidates.ts';
import type { Equivalent } from '../harness/mutation/equivalents.ts';
import type { Observation } from '../harness/mutation/fate.ts';
import type { Job } from '../harness/mutation/job.ts';
import { Journal } from '../harness/mutation/journal.ts';
import {
  loadMutants,
  type Mutant,
  mutantsFolder,
  type ReferenceLanguage,
} from '../harness/mutation/mutants.ts';
import { fromOperators } from '../harness/mutation/sql-candidates.ts';
import { type ValidationOptions, validate } from '../harness/mutation/validate.ts';
import type { MutantResult, MutantStatus, Validation } from '../harness/mutation/validation.ts';
import { localWorker, type Worker } from '../harness/mutation/workers.ts';
import { projectFile } from '../harness/project.ts';
import { type AnyLab, labById } from '../harness/registry.ts';
import { prettyValidation } from '../harness/report/validation-pretty.ts';
import { plain } from '../harness/sandbox.ts';
import { python3, Workshop } from './submissions.ts';

/* The validation of a small lab: what its reference does is wrong in every way that a mutant can be. */

const workshop = new Workshop();
afterAll(() => workshop.remove());

const numbers = fc.integer({ min: 0, max: 9 }).map(BigInt);

/** A lab of two functions. Its last clause sees one case only: whether a mutant dies by it can depend on the seed. */
const lab: Lab<Bench, undefined> = {
  ...{ id: 'echo-lab', title: 'Echo', kind: 'functions', entry: 'service', home: '/nowhere', budget: 6 },
  steps: [
    step(1, 'echo', {
      '1.1 what is given comes back': clause({ n: numbers }, async (bench: Bench, { n }) => {
        expectSame(await bench.call({ process: 0, name: 'echo', args: [n] }), n);
      }),
    }),
    step(2, 'double', {
      '2.1 twice as much comes back': clause({ n: numbers }, async (bench: Bench, { n }) => {
        expectSame(await bench.call({ process: 0, name: 'double', args: [n] }), 2n * n);
      }),
      '2.2 a truth is counted': clause(
        { yes: fc.boolean() },
        async (bench: Bench, { yes }) => {
          expectSame(await bench.call({ process: 0, name: 'count', args: [yes] }), yes ? 1n : 0n);
        },
        { cases: 1, minimum: 1 },
      ),
    }),
  ],
  prepare: async () => undefined,
  open: (bench) => bench,
};

const sources: Readonly<Record<ReferenceLanguage, string>> = {
  python: `def echo(n):
    return n

def double(n):
    return 2 * n

def count(yes):
    return 1 if yes else 0
`,
  typescript: `export function echo(n: number): number {
  return n;
}

export function double(n: number): number {
  return 2 * n;
}

export function count(yes: boolean): number {
  return yes ? 1 : 0;
}
`,
};

function baseOf(language: ReferenceLanguage, source = sources[language]): Base {
  const entry = language === 'python' ? 'service.py' : 'service.ts';
  const folder = workshop.write({ [entry]: source });
  const files = { [entry]: path.join(folder, entry) };
  return { name: `reference/${language}`, language, entry, files, contracted: [entry] };
}

/** A mutant of step 2 that puts something else where a piece of the source stands. */
function mutant(id: string, anchor: string, replacement: string, others: Partial<Mutant> = {}): Mutant {
  const edits = { python: [{ anchor, replacement }] };
  return { id, step: 2, clause: '2.1', origin: 'field', why: 'It is wrong.', edits, ...others };
}

const killed = mutant('three-times', '2 * n', '3 * n');
const silent = { begin: () => {}, done: () => {}, end: () => {} };

/** A validation in this process. */
function validated(
  changes: Partial<ValidationOptions> & { readonly mutants?: readonly Mutant[] },
): Promise<Validation> {
  const { mutants = [], ...others } = changes;
  const asked: AnyLab = changes.lab ?? lab;
  const interrupted = changes.interrupted ?? new AbortController().signal;
  const folder = mkdtempSync(path.join(workshop.folder, 'validation-'));
  return validate({
    ...{
      lab: asked,
      bases: [baseOf('python')],
      variants: [],
      sources: [fromData(asked, mutants)],
      equivalents: [],
    },
    ...{ seeds: [1], quick: false, wanted: () => true, inProcess: true, interpreter: python3, interrupted },
    confinement: plain,
    workers: [localWorker(asked, folder, interrupted), localWorker(asked, folder, interrupted)],
    ...{ journal: new Journal(undefined, ''), progress: silent },
    ...others,
  });
}

function own({ mutants }: Validation): readonly MutantResult[] {
  return mutants.filter(({ origin }) => origin !== 'canary');
}

/** The status of each mutant, by its id. */
function statuses(validation: Validation): Record<string, MutantStatus> {
  return Object.fromEntries(own(validation).map(({ id, status }) => [id, status]));
}

describe('a status is honest:', () => {
  test.concurrent.each<[MutantStatus, string, Mutant]>([
    ['killed', 'a broken contract in its own step', killed],
    ['survived', 'what nothing notices', mutant('sum', '2 * n', 'n + n')],
    ['killed elsewhere', 'a failure in a step before', mutant('early', 'return n\n', 'return n + 1\n')],
    [
      'killed elsewhere',
      'a failure in a step after',
      mutant('late', '2 * n', '3 * n', { step: 1, clause: '1.1' }),
    ],
    [
      'killed elsewhere',
      'another clause than it names',
      mutant('other', '2 * n', '3 * n', { clause: '2.2' }),
    ],
    ['crash', 'a process that ends', mutant('exits', 'return 2 * n', 'import os; os._exit(1)')],
    ['timeout', 'a call that does not return', mutant('endless', 'return 2 * n', 'while True: pass')],
    ['stillborn', 'what does not load', mutant('no-python', 'def double(n)', 'def double(n')],
    ['stillborn', 'a function that is not there', mutant('renamed', 'def double', 'def treble')],
    ['invalid', 'an anchor that is gone', mutant('gone', '4 * n', '3 * n')],
    ['invalid', 'an anchor that is there twice', mutant('twice', 'return', 'raise')],
    ['invalid', 'an edit that changes nothing', mutant('same', '2 * n', '2 * n')],
    ['invalid', 'a clause that the lab has not', mutant('of-no-clause', '2 * n', '3 * n', { clause: '2.9' })],
    [
      'invalid',
      'a file that is not there',
      mutant('elsewhere', '', '', { edits: { python: [{ file: 'x.py', anchor: 'a', replacement: 'b' }] } }),
    ],
  ])('%s for %s', async (status, _, wrong) => {
    const validation = await validated({ mutants: [wrong] });
    expect(statuses(validation)).toEqual({ [wrong.id]: status });
    expect(validation.verdict).toBe(status === 'killed' ? 'passed' : 'failed');
    const [result] = own(validation);
    if (status !== 'killed' && status !== 'survived') expect(result?.detail).toBeTruthy();
    expect(faults(validation)).toEqual([]);
  });

  test('stillborn for what does not compile', async () => {
    const edits = { typescript: [{ anchor: '2 * n', replacement: '2 *' }] };
    const validation = await validated({
      bases: [baseOf('typescript')],
      mutants: [{ ...killed, edits }],
    });
    expect(own(validation)).toMatchObject([
      { status: 'stillborn', detail: expect.stringContaining('service.ts:6') },
    ]);
  });

  test('flaky where only some seeds kill', async () => {
    const seeds = [1, 2, 3, 4, 5, 6, 7, 8];
    const mutants = [killed, mutant('counts-yes', 'else 0', 'else 2', { clause: '2.2' })];
    const validation = await validated({ mutants, seeds });
    expect(statuses(validation)).toEqual({ 'three-times': 'killed', 'counts-yes': 'flaky' });
    const [always, sometimes] = own(validation);
    expect(always?.killedOn).toBe(seeds.length);
    expect(sometimes?.killedOn).toBeGreaterThan(0);
    expect(sometimes?.killedOn).toBeLessThan(seeds.length);
    expect([validation.verdict, faults(validation)]).toEqual(['failed', []]);
  });
});

test('a kill is told with its place and its smallest case; the steps before were asked', async () => {
  const [result] = own(await validated({ mutants: [killed] }));
  expect(result?.changes).toEqual([
    {
      file: 'service.py',
      start: { line: 5, column: 12 },
      end: { line: 5, column: 17 },
      ...{ original: '2 * n', replacement: '3 * n' },
    },
  ]);
  expect(result?.cells).toMatchObject([
    { step: 1, verdict: 'passed', failures: [] },
    { step: 2, verdict: 'failed', failures: [{ clause: '2.1', report: { kind: 'contract', got: '3' } }] },
  ]);
});

// ---- what has to be right before anything is believed

describe('nothing else is believed', () => {
  const mutants = [killed];

  test('where a correct submission is rejected', async () => {
    const wrong = { ...baseOf('python', sources.python.replace('2 * n', '3 * n')), name: 'variant/wrong' };
    const validation = await validated({ mutants, variants: [wrong] });
    expect([validation.verdict, own(validation)]).toEqual(['failed', []]);
    const rejected = validation.baseline.find(({ name }) => name === 'variant/wrong');
    expect(rejected).toMatchObject({ verdict: 'failed', passedOn: 0, failure: { clause: '2.1', seed: 1 } });
    expect(prettyValidation(validation, false)).toMatch(/variant\/wrong.*2\.1/);
    expect(faults(validation)).toEqual([]);
  });

  test('where the canary lives', async () => {
    const blind = { ...lab, steps: lab.steps.map((each) => weakened(each, ({ id }) => id !== '')) };
    const validation = await validated({ lab: blind, mutants });
    expect(validation.mutants).toMatchObject([{ id: 'canary', status: 'survived' }]);
    expect(validation.verdict).toBe('failed');
  });
});

/** The step, with clauses of it that accept everything. */
function weakened(step: AnyLab['steps'][number], which: (clause: { readonly id: string }) => boolean) {
  const clauses = step.clauses.map((each) => (which(each) ? { ...each, predicate: async () => {} } : each));
  return { ...step, clauses };
}

test('a weakened clause lets its mutants survive, and they are named', { timeout: 240_000 }, async () => {
  const real = labById('idem-retention-lab') ?? expect.unreachable();
  const weak = { ...real, steps: real.steps.map((each) => weakened(each, ({ id }) => id === '4.2')) };
  const mutants = loadMutants(mutantsFolder(real.id)).filter((each) => each.step === 4);
  const options = { bases: [referenceBase(real, 'python')], mutants, quick: true };
  const sound = await validated({ ...options, lab: real });
  expect([sound.verdict, new Set(Object.values(statuses(sound)))]).toEqual(['passed', new Set(['killed'])]);

  const validation = await validated({ ...options, lab: weak });
  const spared = mutants.filter(({ clause }) => clause === '4.2').map(({ id }) => id);
  const living = own(validation).filter(({ status }) => status !== 'killed');
  expect(validation.verdict).toBe('failed');
  expect(living.map(({ id }) => id)).toEqual(spared);
  expect(living.map(({ status }) => status)).toContain('survived');
  for (const id of spared) expect(prettyValidation(validation, false)).toContain(id);
});

// ---- mutants that operators make

describe('equivalents', () => {
  const patch =
    (anchor: string, replacement: string): CandidateSource =>
    (base) => {
      const from = sources.python.indexOf(anchor);
      const patches = [{ file: base.entry, from, to: from + anchor.length, replacement }];
      return [
        candidateOf(
          { id: 'made', origin: 'operator', operator: 'AOR', step: null, why: 'It is.' },
          base,
          patches,
        ),
      ];
    };
  const listed: Equivalent = {
    ...{ language: 'python', file: 'service.py', operator: 'AOR', context: 'return 2 * n' },
    ...{ original: '2 * n', replacement: 'n + n', reason: 'Twice is once and once.' },
  };

  test('survive, and are as they should be', async () => {
    const validation = await validated({ sources: [patch('2 * n', 'n + n')], equivalents: [listed] });
    expect(own(validation)).toMatchObject([{ status: 'equivalent', detail: listed.reason }]);
    expect([validation.verdict, faults(validation)]).toEqual(['passed', []]);
  });

  test('may be all that an operator makes in a place', async () => {
    const { original: _, replacement: __, ...place } = listed;
    const validation = await validated({ sources: [patch('2 * n', 'n + n')], equivalents: [place] });
    expect(own(validation)).toMatchObject([{ status: 'equivalent', detail: listed.reason }]);
  });

  test('are asked a share of the cases, on other seeds than the first a few', async () => {
    const cases = new Map<number, readonly number[]>();
    const worker = localWorker(lab, workshop.folder, new AbortController().signal);
    const run = async (job: Job): Promise<Observation> => {
      const observation = await worker.run(job);
      cases.set(
        job.seed,
        observation.reports.map((report) => report.cases),
      );
      return observation;
    };
    const workers = [{ ...worker, run }];
    const sources = [patch('2 * n', 'n + n')];
    const validation = await validated({ workers, sources, equivalents: [listed], seeds: [1, 2] });
    expect(own(validation)).toMatchObject([{ status: 'equivalent' }]);
    expect([cases.get(1), cases.get(2)]).toEqual([
      [20, 20, 1],
      [3, 3], // a clause of one case has had it
    ]);
  });

  test('that are killed are wrongly listed', async () => {
    const equivalents = [{ ...listed, replacement: '3 * n' }];
    const validation = await validated({ sources: [patch('2 * n', '3 * n')], equivalents });
    expect(own(validation)).toMatchObject([{ status: 'invalid', detail: expect.stringContaining('killed') }]);
    expect(validation.verdict).toBe('failed');
  });

  test('that are not made any more are stale', async () => {
    const equivalents = [{ ...listed, context: 'return 4 * n' }];
    const validation = await validated({ sources: [patch('2 * n', '3 * n')], equivalents });
    expect(own(validation).map(({ status }) => status)).toEqual(['killed', 'invalid']);
    expect(validation.verdict).toBe('failed');
  });

  test('apart, an operator mutant has the step that caught it', async () => {
    const [result] = own(await validated({ sources: [patch('2 * n', '3 * n')] }));
    expect(result).toMatchObject({ status: 'killed', operator: 'AOR', step: 2 });
  });
});

test("an author's variant passes, and mutants of its own SQL die", { timeout: 240_000 }, async () => {
  const real = labById('idem-retention-lab') ?? expect.unreachable();
  const bases = [ownBase(real, projectFile(`reference/${real.id}/variants/delete-returning`), '--variant')];
  const wanted = ({ id }: { readonly id: string }) => /^(?:ror|lof)/.test(id);
  const options = { lab: real, bases, sources: [fromOperators], inProcess: false, quick: true, wanted };
  const validation = await validated(options);
  expect(validation.baseline.map(({ name }) => name)).toEqual([
    'identity/python',
    'variant/delete-returning',
  ]);
  expect(own(validation).length).toBeGreaterThan(5);
  expect(new Set(own(validation).map(({ status }) => status))).toEqual(new Set(['killed']));
});

// ---- what is asked, and in which order

describe('of a mutant that any clause may catch', () => {
  const folder = mkdtempSync(path.join(workshop.folder, 'asked-'));

  /** A worker that remembers what it was asked, and what it saw. */
  function remembering() {
    const worker = localWorker(lab, folder, new AbortController().signal);
    const seen: { readonly job: Job; readonly observation: Observation }[] = [];
    const run = async (job: Job): Promise<Observation> => {
      const observation = await worker.run(job);
      if (job.plan.kind === 'any') seen.push({ job, observation });
      return observation;
    };
    return { seen, workers: [{ ...worker, run } satisfies Worker] };
  }

  /** What clause 2.1 is not given in its first few cases on the seed 1. */
  const rare = 7;

  /** Twice as much, but for one number. */
  const exceptFor = (n: number, other: string) => (base: Base) => {
    const from = sources.python.indexOf('2 * n');
    const replacement = `2 * n if n != ${n} else ${other}`;
    const description = { origin: 'operator', id: other, step: null, why: 'Once it is wrong.' } as const;
    return [
      candidateOf(description, base, [{ file: base.entry, from, to: from + '2 * n'.length, replacement }]),
    ];
  };

  const asked = ({ reports }: Observation) => reports.map(({ id }) => id);

  test('a few cases a clause are asked first, then all of them, from the last on', async () => {
    const { seen, workers } = remembering();
    await validated({ workers, sources: [exceptFor(rare, '0')] });
    expect(seen.slice(1).map(({ observation }) => asked(observation))).toEqual([['1.1', '2.1', '2.1']]);
  });

  test('on another seed its killer is asked first', async () => {
    const { seen, workers } = remembering();
    await validated({ workers, sources: [exceptFor(rare, '0')], seeds: [1, 2] });
    expect(seen.filter(({ job }) => job.seed === 2).map(({ observation }) => asked(observation))).toEqual([
      ['1.1'], // the canary
      ['2.1'],
    ]);
  });
});

// ---- stop and resume

describe('what was done before', () => {
  /** Workers that count what they do, and stop the validation after some of it. */
  function counting(most: number, interrupt = new AbortController()) {
    const folder = mkdtempSync(path.join(workshop.folder, 'counted-'));
    const worker = localWorker(lab, folder, interrupt.signal);
    const done: Job[] = [];
    const run = async (job: Job): Promise<Observation> => {
      if (done.length === most) interrupt.abort();
      else done.push(job);
      return worker.run(job);
    };
    return { done, workers: [{ ...worker, run } satisfies Worker], interrupted: interrupt.signal };
  }

  const mutants = [killed, mutant('four-times', '2 * n', '4 * n')];
  const jobs = 5; // the identity, the reference, the canary, and two mutants

  test('is not done again; what was interrupted is', async () => {
    const file = path.join(workshop.folder, 'journal.jsonl');
    const first = counting(3);
    const stopped = await validated({ ...first, mutants, journal: new Journal(file, 'a') });
    expect(stopped.verdict).toBe('undecided');
    expect(Object.values(statuses(stopped))).toEqual(['undecided', 'undecided']);
    expect(faults(stopped)).toEqual([]);
    expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(3);

    appendFileSync(file, '{"key":"cut sh');
    const second = counting(jobs);
    const finished = await validated({ ...second, mutants, journal: new Journal(file, 'a') });
    expect([finished.verdict, second.done.length]).toEqual(['passed', jobs - 3]);

    const third = counting(jobs);
    expect((await validated({ ...third, mutants, journal: new Journal(file, 'a') })).verdict).toBe('passed');
    expect(third.done).toEqual([]);
  });

  test.each<[string, Partial<Parameters<typeof validated>[0]>, string, number]>([
    ['of other checks', {}, 'b', jobs],
    ['with another seed', { seeds: [2] }, 'a', jobs],
    ['of another mutant', { mutants: [killed, mutant('four-times', '2 * n', '5 * n')] }, 'a', 1],
  ])('is done again %s', async (_, changes, version, again) => {
    const file = path.join(workshop.folder, `journal-${version}-${again}.jsonl`);
    writeFileSync(file, '');
    await validated({ ...counting(jobs), mutants, journal: new Journal(file, 'a') });
    const second = counting(jobs);
    await validated({ mutants, ...second, ...changes, journal: new Journal(file, version) });
    expect(second.done).toHaveLength(again);
  });
});

// ---- the schema

const schemaOf = (name: string) => JSON.parse(readFileSync(projectFile(`harness/${name}`), 'utf8'));
const valid = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, allErrors: true })
  .addSchema(schemaOf('report/report.schema.json'), 'report.schema.json')
  .compile(schemaOf('mutation/validation.schema.json'));

/** What is wrong with a validation, as it would be read from a file. */
function faults(validation: object): string[] {
  valid(JSON.parse(JSON.stringify(validation)));
  return (valid.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

test('a validation with a member that is not known is not valid', async () => {
  const validation = await validated({ mutants: [killed] });
  expect(faults(validation)).toEqual([]);
  expect(faults({ ...validation, score: 1 })).not.toEqual([]);
  const mutants = validation.mutants.map((each) => ({ ...each, status: 'dead' }));
  expect(faults({ ...validation, mutants })).not.toEqual([]);
});
