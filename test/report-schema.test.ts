import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, test } from 'vitest';
import { judge, type Request } from '../harness/judge.ts';
import { render } from '../harness/library.ts';
import { projectFile } from '../harness/project.ts';
import { labById } from '../harness/registry.ts';
import type { FailureKind, Report } from '../harness/report/report.ts';
import { python3, Workshop } from './submissions.ts';

const workshop = new Workshop();
afterAll(() => workshop.remove());

const schema = JSON.parse(readFileSync(projectFile('harness/report/report.schema.json'), 'utf8'));
const validate = new Ajv2020({
  strict: true,
  strictRequired: false,
  allowUnionTypes: true,
  allErrors: true,
}).compile(schema);

/** What is wrong with a report, as it would be read from a file. */
function faults(report: object): string[] {
  validate(JSON.parse(JSON.stringify(report)));
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

const reference = readFileSync(projectFile('reference/idem-retention-lab/service.py'), 'utf8');

function judged(source: string, request: Partial<Request> = {}): Promise<Report> {
  return judge({
    lab: labById('idem-retention-lab') ?? expect.unreachable(),
    place: workshop.write({ 'service.py': source }),
    steps: [1],
    seed: undefined,
    runs: 5,
    budget: undefined,
    interpreter: python3,
    interrupted: new AbortController().signal,
    onClause: () => {},
    ...request,
  });
}

/** `output` is a failure of scripts: they alone are judged by what they print. */
const failing: Readonly<
  Record<Exclude<FailureKind, 'output'>, readonly [source: string, request?: Partial<Request>]>
> = {
  contract: ["def init_db(path): raise ValueError('\\ud800 \\x1b')"],
  crash: ['import os\ndef init_db(path): os._exit(1)'],
  timeout: ['def init_db(path):\n    while True: pass', { budget: 6 }],
  budget: [
    reference.replace('db.execute(SCHEMA)', '__import__("time").sleep(0.2); db.execute(SCHEMA)'),
    { budget: 2 },
  ],
  missing: ['def init(path): pass'],
  load: ['def init_db(path:'],
  memory: ['def init_db(path):\n    held = []\n    while True: held.append(bytearray(1 << 26))'],
  processes: [
    'import os, time\ndef init_db(path):\n    for _ in range(100):\n        if os.fork() == 0: time.sleep(20)\n    time.sleep(20)',
  ],
  disk: [
    'import time\ndef init_db(path):\n    for n in range(6):\n        with open(path + str(n), "wb") as file: file.write(bytes(200 << 20))\n    time.sleep(20)',
  ],
};

describe('a report is valid', () => {
  test('that passed', async () => {
    const report = await judged(reference);
    expect([report.verdict, faults(report)]).toStrictEqual(['passed', []]);
  });

  test.each(Object.entries(failing))('that failed by %s', async (kind, [source, request]) => {
    const report = await judged(source, request);
    const kinds = report.steps.flatMap(({ clauses }) => clauses.map(({ failure }) => failure?.kind));
    expect(kinds).toContain(kind);
    expect([report.verdict, faults(report)]).toStrictEqual(['failed', []]);
  });

  test('of a folder without an entry file', async () => {
    const report = await judged(reference, { place: workshop.write({ 'server.py': reference }) });
    expect([report.verdict, faults(report)]).toStrictEqual(['failed', []]);
  });

  test('that is undecided, by a program that is no Python or by an interruption', async () => {
    for (const request of [{ interpreter: '/bin/true' }, { interrupted: AbortSignal.abort() }]) {
      const report = await judged(reference, request);
      expect([report.verdict, faults(report)]).toStrictEqual(['undecided', []]);
    }
  });

  test('where there is no Python', async () => {
    const path = process.env.PATH;
    process.env.PATH = workshop.write({});
    try {
      const report = await judged(reference, { interpreter: undefined });
      expect([report.verdict, faults(report)]).toStrictEqual(['undecided', []]);
    } finally {
      process.env.PATH = path;
    }
  });
});

describe('a report is not valid', () => {
  test.each<[string, (report: Report) => object]>([
    ['with a member that is not known', (report) => ({ ...report, score: 1 })],
    ['with another verdict', (report) => ({ ...report, verdict: 'perfect' })],
    ['of another version', (report) => ({ ...report, schemaVersion: 2 })],
    ['without a seed', (report) => ({ ...report, seed: undefined })],
    ['with a step that has a member not known', (report) => withStep(report, { score: 1 })],
    ['with a clause that failed and does not say how', (report) => withClause(report, { verdict: 'failed' })],
    [
      'with a clause that is undecided for no reason',
      (report) => withClause(report, { verdict: 'undecided' }),
    ],
    ['with a clause that passed by a fault', (report) => withClause(report, { fault: 'none' })],
    ['with a clause of no number', (report) => withClause(report, { id: 'one' })],
  ])('%s', async (_, change) => {
    const report = await judged(reference, { runs: 1 });
    expect(faults(report)).toStrictEqual([]);
    expect(faults(change(report))).not.toStrictEqual([]);
  });
});

function withStep(report: Report, members: object): object {
  return { ...report, steps: report.steps.map((step) => ({ ...step, ...members })) };
}

function withClause(report: Report, members: object): object {
  return withStep(report, { clauses: report.steps[0]?.clauses.map((clause) => ({ ...clause, ...members })) });
}

test('is English, whatever the learner reads, who is told in their own tongue', async () => {
  const report = await judged(reference.replace('CREATE TABLE IF NOT EXISTS', 'CREATE TABLE'), {
    tongue: 'ja',
  });
  const { failure } = report.steps[0]?.clauses.find((clause) => clause.failure) ?? expect.unreachable();
  const { learner: mine, ...english } = failure ?? expect.unreachable();
  expect(JSON.stringify(mine)).toMatch(/\p{Script=Hiragana}/u);
  expect(JSON.stringify(english)).not.toMatch(/\p{Script=Hiragana}/u);
  const written = await render(report, 'json');
  expect(written).not.toMatch(/[\p{Script=Hiragana}\p{Script=Han}]/u);
  expect(faults(JSON.parse(written))).toStrictEqual([]);
});
