import { appendFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { judge, type Request } from '../harness/judge.ts';
import { textsOf } from '../harness/messages/texts.ts';
import { projectFile } from '../harness/project.ts';
import { labById } from '../harness/registry.ts';
import { cut, fitted } from '../harness/report/cut.ts';
import { atEnd } from '../harness/report/formats/github.ts';
import { type FormatOptions, formatNamed, formats } from '../harness/report/formats.ts';
import { placeOf } from '../harness/report/place.ts';
import {
  type ClauseReport,
  type FailureReport,
  overall,
  type Report,
  type Verdict,
} from '../harness/report/report.ts';
import { scoreOf, scoreOfStep } from '../harness/report/score.ts';
import { type ShownReport, withoutCases } from '../harness/report/shown.ts';
import { readers } from './formats/readers.ts';
import { python3, Workshop } from './submissions.ts';

const workshop = new Workshop();
afterAll(() => workshop.remove());

const reference = readFileSync(projectFile('reference/idem-retention-lab/service.py'), 'utf8');

/** Steps 1 and 4, or those that are asked for, one after the other: several at a time take threads of the build. */
async function judged(source: string, request: Partial<Request> = {}): Promise<Report> {
  const place = request.place ?? workshop.write({ 'service.py': source });
  const asked: Report[] = [];
  for (const step of request.steps ?? [1, 4])
    asked.push(await judgedStep(place, { ...request, steps: [step] }));
  const steps = asked.flatMap((report) => report.steps);
  return { ...(asked[0] as Report), steps, verdict: overall(asked.map(({ verdict }) => verdict)) };
}

function judgedStep(place: string, request: Partial<Request>): Promise<Report> {
  return judge({
    lab: labById('idem-retention-lab') ?? expect.unreachable(),
    place,
    steps: undefined,
    seed: 7,
    runs: 5,
    budget: undefined,
    interpreter: python3,
    interrupted: new AbortController().signal,
    onClause: () => {},
    ...request,
  });
}

/** The transfer lab, step 4, with the API replaced. */
function transferred(change?: string): Promise<Report> {
  const place = workshop.write({});
  const only = (file: string) => !file.endsWith('.ts') && path.basename(file) !== 'variants';
  cpSync(projectFile('reference/idem-transfer-lab'), place, { recursive: true, filter: only });
  if (change !== undefined) writeFileSync(path.join(place, 'idem_api.py'), change);
  return judged('', {
    lab: labById('idem-transfer-lab') ?? expect.unreachable(),
    place,
    steps: [4],
    runs: 1,
  });
}

async function withoutPython(): Promise<Report> {
  const before = process.env.PATH;
  process.env.PATH = workshop.write({});
  try {
    return await judged(reference, { interpreter: undefined });
  } finally {
    process.env.PATH = before;
  }
}

const shouts = 'print("ok 1 - FORGED\\nBail out! FORGED\\n::error::FORGED\\n</testsuite>")\n';

const evilInPython =
  'x\nok 1 - FORGED\n::error::FORGED\n]]>&#0;</failure>##[error]\u001b[2J\u202e [a](b) {0} `';

const makers = {
  passed: () => judged(reference),
  wrong: () => judged(reference.replace('expires > ?', 'expires >= ?')),
  broken: () => judged('import os\n\ndef init_db(path:\n'),
  'an empty folder': () => judged('', { place: workshop.write({ 'server.py': '' }) }),
  'raises what looks like a result': () =>
    judged(
      reference.replace(
        'def fetch(',
        `def fetch(*args): raise ValueError(${JSON.stringify(evilInPython)})\ndef f(`,
      ),
    ),
  undecided: () => judged(reference, { interpreter: '/bin/true' }),
  interrupted: () => judged(reference, { interrupted: AbortSignal.abort() }),
  'no python': withoutPython,
  'transfer lab': () => transferred(),
  'transfer lab, wrong': () => transferred(shouts),
} satisfies Record<string, () => Promise<Report>>;

type Made = keyof typeof makers;
const reports = {} as Record<Made, Report>;

beforeAll(async () => {
  for (const [name, make] of Object.entries(makers)) reports[name as Made] = await make();
}, 60_000);

const options: FormatOptions = {
  lab: labById('idem-retention-lab') ?? expect.unreachable(),
  texts: textsOf('en'),
  points: new Map(),
  partial: false,
  base: '/',
  now: new Date('2026-12-01T12:00:00Z'),
  version: '0.1.0',
};

async function rendered(
  name: string,
  report: ShownReport,
  others: Partial<FormatOptions> = {},
): Promise<string> {
  const format = formatNamed(name) ?? expect.unreachable();
  return (await format.load()).render(report, { ...options, ...others });
}

const clausesOf = (report: ShownReport) => report.steps.flatMap(({ clauses }) => clauses);
const named = formats.map(({ name }) => name);
/** Formats whose tests are steps, and those that speak of clauses that did not pass alone. */
const bySteps = ['classroom', 'gradescope', 'prairielearn'];

/** What a format has to say of the parts of a report. */
function partsIn(format: string, report: ShownReport): Record<string, Verdict> {
  if (format === 'check50' && report.fault !== undefined) return {};
  if (bySteps.includes(format)) {
    const unscored = format === 'prairielearn' && scoreOf(report, options).points === null;
    return Object.fromEntries(
      report.steps.map((step) => {
        const { points } = scoreOfStep(step, options);
        const verdict = step.verdict === 'failed' || points !== null ? step.verdict : 'undecided';
        return [String(step.step), unscored ? 'undecided' : verdict];
      }),
    );
  }
  const clauses = clausesOf(report).map(({ id, verdict }): [string, Verdict] => [id, verdict]);
  return Object.fromEntries(
    format === 'github'
      ? clauses.filter(([, verdict]) => verdict === 'failed' || verdict === 'undecided')
      : clauses,
  );
}

const expected: Readonly<Record<Made, Verdict>> = {
  'raises what looks like a result': 'failed',
  ...{ passed: 'passed', wrong: 'failed', broken: 'failed', 'an empty folder': 'failed' },
  ...{ undecided: 'undecided', interrupted: 'undecided', 'no python': 'undecided' },
  ...{ 'transfer lab': 'passed', 'transfer lab, wrong': 'failed' },
};

/** Exercism: `error` is what no test could be run of. */
const noneRun: readonly Made[] = ['broken', 'an empty folder', 'undecided', 'interrupted', 'no python'];

test('every format has a reader', () => {
  expect(Object.keys(readers)).toStrictEqual(named);
});

test.each<[string, (text: string) => string]>([
  ['junit', (text) => text.replace('<failure ', '<failing ')],
  ['junit', (text) => text.replace('failures="1"', 'failures="0"')],
  ['junit', (text) => text.replace('</testsuites>', '')],
  ['tap', (text) => text.replace('# Subtest', 'Subtest')],
  ['tap', (text) => text.replace(/^1\.\.2$/m, '1..3')],
  ['sarif', (text) => text.replace('"2.1.0"', '"2.0.0"')],
  ['sarif', (text) => text.replace('"ruleIndex"', '"ruleNumber"')],
  ['github', (text) => text.replace('::error ', '::stop-commands ')],
  ['classroom', (text) => `${text}\n`],
  ['gradescope', (text) => text.replace('"max_score"', '"max"')],
  ['gradescope', (text) => text.replace('"score": 1', '"score": "1"')],
  ['prairielearn', (text) => text.replace(/"score": [\d.]+/, '"score": 2')],
  ['autolab', (text) => text.replace('"Step 4"', '"4: fetch"')],
  ['autolab', (text) => `${text}\ndone`],
  ['exercism', (text) => text.replace('"message": null', '"message": "x"')],
  ['check50', (text) => text.replace('"passed": false', '"passed": true')],
])('the reader of %s refuses what is not as documented', async (format, change) => {
  const text = await rendered(format, reports.wrong);
  expect(change(text)).not.toBe(text);
  await expect(async () => readers[format]?.(change(text))).rejects.toThrow();
});

describe.each(named)('%s', (format) => {
  const read = readers[format] ?? (() => expect.unreachable());

  test.each(Object.keys(makers) as Made[])('is understood: %s', async (name) => {
    const report = reports[name];
    expect(report.verdict).toBe(expected[name]);
    const { whole, parts, points } = await read(await rendered(format, report));
    expect(parts).toStrictEqual(partsIn(format, report));
    expect(whole).toBe(format === 'exercism' && noneRun.includes(name) ? 'error' : expected[name]);
    if (points !== undefined) expect(points).toBe(scoreOf(report, options).points);
  });

  test('is not misled by what a submission or its folder is called, says or returns', async () => {
    const report = hostile(reports.wrong);
    const text = await rendered(format, report);
    const { whole, parts } = await read(text);
    expect([whole, parts]).toStrictEqual(['failed', partsIn(format, report)]);
    const decoded = format === 'classroom' ? Buffer.from(text, 'base64').toString() : text;
    expect(decoded).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
    expect(decoded).not.toMatch(/##\[/);
    if (format !== 'github') expect(decoded).not.toMatch(/^\s*::/m);
  });

  test('nor by a fault', async () => {
    const report = faulty(reports.undecided);
    const { whole, parts } = await read(await rendered(format, report));
    expect(parts).toStrictEqual(partsIn(format, report));
    expect(whole).toBe(format === 'exercism' ? 'error' : 'undecided');
  });

  test('says nothing of the cases where they are hidden', async () => {
    const { report, secrets } = secretive(reports.wrong);
    const told = async (shown: ShownReport) => {
      const text = await rendered(format, shown);
      return format === 'classroom' ? Buffer.from(text, 'base64').toString() : text;
    };
    const open = await told(report);
    expect(secrets.filter((secret) => open.includes(secret)).length).toBeGreaterThan(2);
    const shown = withoutCases(report);
    const hidden = await told(shown);
    expect(secrets.filter((secret) => hidden.includes(secret))).toStrictEqual([]);
    const { whole, parts } = await read(await rendered(format, shown));
    expect([whole, parts]).toStrictEqual(['failed', partsIn(format, shown)]);
  });

  test('stays below the limits of its platform, and says what it cut', async () => {
    const report = huge(reports.wrong);
    const text = await rendered(format, report);
    const { whole, parts } = await read(text);
    expect([whole, parts]).toStrictEqual(['failed', partsIn(format, report)]);
    const most = limits[format];
    if (most === undefined) return;
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(most);
    const decoded = format === 'classroom' ? Buffer.from(text, 'base64').toString() : text;
    expect(decoded).toMatch(/ … cut, \d+ characters more/);
  });
});

/** Bytes that a file may have, where its platform has a limit: docs/formats.md. */
const limits: Readonly<Record<string, number>> = {
  ...{ junit: 30_000_000, sarif: 10_000_000, github: 10 * 20_000, classroom: 120_000 },
  ...{ gradescope: 1_000_000, prairielearn: 1_000_000, autolab: 1_024_000, exercism: 5 * 200_000 },
};

/** The report with every failure and fault changed. */
function changed(report: Report, change: (clause: ClauseReport) => ClauseReport): Report {
  return { ...report, steps: report.steps.map((step) => ({ ...step, clauses: step.clauses.map(change) })) };
}

function withFailures(report: Report, failure: Partial<FailureReport>): Report {
  return changed(report, (clause) =>
    clause.failure ? { ...clause, failure: { ...clause.failure, ...failure } } : clause,
  );
}

const evil = [
  'x',
  'ok 1 - FORGED # SKIP',
  'Bail out! FORGED',
  '    ...',
  '...',
  '---',
  '1..1',
  '::error file=a.py::FORGED',
  '  ::stop-commands::x',
  '##[error]FORGED',
  ']]></failure></testcase><testcase name="9.9"/> &amp; &#0; <!-- <script>alert(1)</script></pre>',
  '```',
  '| [link](https://example.org) {0} {{1}} @somebody \\n %0A%25 $(id) `id`',
  '{"scores": {"Step 4": 5}}',
  '\u0000\u0008\u000b\u001b[31m\r\u0085\u2028\u202e\u2066\ufeff\ufffe\uffff\ud800 \udc00 é 계좌 🦊',
].join('\n');

function hostile(report: Report): Report {
  const failure = {
    given: [evil],
    calls: [evil, evil],
    expected: evil,
    got: evil,
    hint: evil,
    reproduce: evil,
  };
  return withFailures({ ...report, submission: `/tmp/${evil}` }, failure);
}

function faulty(report: Report): Report {
  const changedClauses = changed(report, (clause) =>
    clause.fault === undefined ? clause : { ...clause, fault: evil },
  );
  return { ...changedClauses, submission: `/tmp/${evil}` };
}

function secretive(report: Report): { report: Report; secrets: string[] } {
  const secrets = ['GIVEN', 'CALLED', 'EXPECTED', 'GOT', 'SCRIPT', '1929394959', '1828384858', '7:6:5:4'];
  const [given, call, expected, got, reproduce] = secrets as [string, string, string, string, string];
  const failure = { given: [given], calls: [call], expected, got, reproduce, path: '7:6:5:4' };
  return {
    report: withFailures({ ...report, seed: 1929394959 }, { ...failure, seed: 1828384858 }),
    secrets,
  };
}

/** 14 MB of texts, in characters that take three bytes. */
function huge(report: Report): Report {
  return withFailures(report, {
    got: '계'.repeat(2_000_000),
    calls: ['계'.repeat(1_000_000)],
    reproduce: `${'계'.repeat(50)}\n`.repeat(30_000),
  });
}

describe('points', () => {
  const step = (...verdicts: Verdict[]) => {
    const clauses = verdicts.map((verdict, index) => ({
      ...{ id: `1.${index}`, statement: '', verdict, cases: 0, seconds: 0 },
      ...(verdict === 'failed' ? { failure: { kind: 'contract' } as FailureReport } : {}),
    }));
    return { step: 1, title: '', verdict: 'failed' as Verdict, seconds: 0, cases: 0, clauses };
  };
  test.each<[Verdict[], number | null, number | null]>([
    [['passed', 'passed', 'passed'], 10, 10],
    [['passed', 'failed', 'passed'], 0, 6.67],
    [['failed', 'failed', 'failed'], 0, 0],
    [['passed', 'undecided', 'passed'], null, null],
    [['failed', 'undecided', 'passed'], 0, null],
    [['failed', 'skipped', 'passed'], 0, null],
    [['passed', 'skipped', 'passed'], null, null],
    [['skipped', 'skipped'], null, null],
  ])('of %j are %j, in part %j', (verdicts, whole, inPart) => {
    const points = new Map([[1, 10]]);
    expect(scoreOfStep(step(...verdicts), { points, partial: false })).toStrictEqual({
      points: whole,
      most: 10,
    });
    expect(scoreOfStep(step(...verdicts), { points, partial: true }).points).toBe(inPart);
  });

  test('what could not be loaded failed as a whole', () => {
    const score = scoreOf(reports.broken, { ...options, partial: true });
    expect(score).toStrictEqual({ points: 0, most: 2 });
  });

  test('of the whole are none where a part could not be judged', () => {
    expect(scoreOf(reports.wrong, options)).toStrictEqual({ points: 1, most: 2 });
    const { steps } = reports.undecided;
    expect(
      scoreOf({ ...reports.wrong, steps: [...reports.wrong.steps, ...steps] }, options).points,
    ).toBeNull();
    expect(scoreOf({ ...reports.passed, fault: 'interrupted' }, options).points).toBeNull();
  });

  test.each(['classroom', 'gradescope', 'prairielearn', 'autolab'])('reach %s', async (format) => {
    const worth = { points: new Map([[4, 30]]), partial: true };
    const text = await rendered(format, reports.wrong, worth);
    expect((await readers[format]?.(text))?.points).toBe(21);
  });
});

describe('a text that is cut', () => {
  test.each([
    ['short', 100, 'short'],
    ['a'.repeat(100), 100, 'a'.repeat(100)],
  ])('%s in %i stays', (text, most, same) => expect(cut(text, most)).toBe(same));

  test('says how much is missing, and has no half characters', () => {
    const text = '🦊'.repeat(200);
    for (const most of [60, 61, 62]) {
      const [, kept = '', more] = /^(.*) … cut, (\d+) characters more$/u.exec(cut(text, most)) ?? [];
      expect(kept.length + Number(more)).toBe(text.length);
      expect(cut(text, most).length).toBeLessThanOrEqual(most);
      expect(kept).not.toMatch(/\p{Cs}/u);
    }
  });

  test('leaves the document as long as it may be', () => {
    const document = (bytes: number) => fitted(bytes, (most) => cut('계'.repeat(100_000), most));
    expect(Buffer.byteLength(document(1_000_000))).toBe(300_000);
    for (const bytes of [200_000, 50_000, 2_000]) {
      const length = Buffer.byteLength(document(bytes));
      expect(length).toBeLessThanOrEqual(bytes);
      expect(length).toBeGreaterThan(bytes / 4);
    }
  });
});

describe('a failure has a place:', () => {
  const failureOf = (report: Report) =>
    clausesOf(report).find(({ failure }) => failure)?.failure ?? expect.unreachable();

  test('the line that cannot be loaded', () => {
    const { broken } = reports;
    const place = placeOf(broken, 'init_db', failureOf(broken), path.dirname(broken.submission));
    expect(place).toStrictEqual({ file: 'service.py', line: 3 });
  });

  test("the function's line, relative to the folder asked for", () => {
    const { wrong } = reports;
    const line = 1 + reference.split('\n').findIndex((each) => each.startsWith('def fetch('));
    const folder = path.dirname(wrong.submission);
    expect(placeOf(wrong, 'fetch', failureOf(wrong), path.dirname(folder))).toStrictEqual({
      file: `${path.basename(folder)}/service.py`,
      line,
    });
    expect(placeOf(wrong, 'fetch', failureOf(wrong), '/no/such/folder')).toBeUndefined();
  });

  test.each([
    '/etc/passwd:1: x',
    '../../../etc/passwd:1: x',
    'service.py:0: x',
    'other.py:3: x',
    'a b\n:1: x',
  ])('but no other file, as in %j', (got) => {
    const { broken } = reports;
    const forged = { ...failureOf(broken), got };
    const place = placeOf(broken, 'init_db', forged, path.dirname(broken.submission));
    expect(place).toStrictEqual({ file: 'service.py', line: 3 });
  });
});

test('a file whose name is a command has no place', () => {
  const { broken } = reports;
  const failure = clausesOf(broken).find(({ failure }) => failure)?.failure ?? expect.unreachable();
  const folder = workshop.write({ '##[error]x/service.py': 'def f(:' });
  const submission = path.join(folder, '##[error]x/service.py');
  expect(placeOf({ ...broken, submission }, 'init_db', failure, folder)).toBeUndefined();
});

describe('the annotations', () => {
  test('past the tenth are one', async () => {
    const { wrong } = reports;
    const failed = clausesOf(wrong).find(({ failure }) => failure) as ClauseReport;
    const clauses = Array.from({ length: 14 }, (_, index) => ({ ...failed, id: `4.${index}` }));
    const [step] = wrong.steps;
    const text = await rendered('github', {
      ...wrong,
      steps: [{ ...(step as Report['steps'][0]), clauses }],
    });
    const errors = text.split('\n').filter((line) => line.startsWith('::error '));
    expect(errors).toHaveLength(10);
    for (const id of ['4.9', '4.10', '4.13']) expect(errors.at(-1)).toContain(`${id} `);
  });

  test('have a place in the repository', async () => {
    const { wrong } = reports;
    const text = await rendered('github', wrong, { base: path.dirname(wrong.submission) });
    expect(text).toMatch(/^::error file=service\.py,line=\d+,title=4\.\d /m);
  });
});

describe('the summary of a job', () => {
  const summaryOf = (report: ShownReport, before = '') => {
    const file = path.join(workshop.write({}), 'summary.md');
    if (before) appendFileSync(file, before);
    atEnd(report, options, { GITHUB_STEP_SUMMARY: file });
    return readFileSync(file, 'utf8');
  };

  test('is appended', () => {
    const text = summaryOf(reports.wrong, 'before\n');
    expect(text).toMatch(/^before\n## /);
    expect(text.split('\n').filter((line) => line.startsWith('| '))).toHaveLength(5);
    expect(text).toMatch(/\| 1 of 2 \|$/m);
  });

  test('has no markup but its own', () => {
    const text = summaryOf(faulty(hostile(reports.wrong)));
    const tags = [...text.matchAll(/<\/?(\w+)/g)].map(([, tag]) => tag);
    expect(new Set(tags)).toStrictEqual(new Set(['details', 'summary', 'pre']));
    expect(text.split('<pre>')).toHaveLength(2);
    const outside = text.replace(/<pre>[^<]*<\/pre>/g, '');
    expect(outside).not.toMatch(/FORGED|link|@somebody|```/);
    const undecided = summaryOf(faulty(reports.undecided));
    expect(undecided).not.toMatch(/[<[\]`@]|FORGED$/m);
  });

  test('never takes more than there is room for', () => {
    const text = summaryOf(huge(reports.wrong), 'x'.repeat(1_000_000));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1 << 20);
    expect(text).toMatch(/ … cut, \d+ characters more/);
    const full = 'x'.repeat(1 << 20);
    expect(summaryOf(reports.wrong, full)).toBe(full);
  });

  test('is left out where there is no file for it', () => {
    expect(() => atEnd(reports.wrong, options, {})).not.toThrow();
    expect(() => atEnd(reports.wrong, options, { GITHUB_STEP_SUMMARY: '/no/such/folder/file' })).toThrow(
      /ENOENT/,
    );
  });
});
