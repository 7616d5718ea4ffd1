import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { HtmlValidate } from 'html-validate';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { judge } from '../harness/judge.ts';
import { type Tongue, textsOf, tongues } from '../harness/messages/texts.ts';
import { projectFile } from '../harness/project.ts';
import { knownLab } from '../harness/registry.ts';
import { differencesOf } from '../harness/report/differences.ts';
import { turnOf } from '../harness/report/life.ts';
import type { ClauseReport, Report } from '../harness/report/report.ts';
import { withoutCases } from '../harness/report/shown.ts';
import type { Story, Table } from '../harness/report/story.ts';
import { submissionPage } from '../harness/report/submission-page.ts';
import { Workshop } from './submissions.ts';

/* The page of one submission: made from real results, checked as HTML, and opened in a browser. */

const chromium = '/usr/bin/chromium';
const lab = knownLab('idem-retention-lab');
const right = readFileSync(projectFile('reference/idem-retention-lab/service.py'), 'utf8');
const workshop = new Workshop();

/** Submissions, and the steps that they are asked. */
const sources = {
  right: [right, [4]],
  'a value differs': [changed('AND expires > ?', 'AND expires >= ?'), [4]],
  'rows differ': [
    changed(
      'db.executemany("DELETE FROM keys WHERE id = ?", [(key,) for key in ids])',
      'db.execute("DELETE FROM keys WHERE expires <= ?", (now,))',
    ),
    [6],
  ],
  'nothing is stored': [changed("SET response = ?, status = 'done'", 'SET response = ?'), [3]],
  'another cell differs': [
    changed("SET response = ?, status = 'done'", "SET response = ?, status = 'done', expires = expires + 1"),
    [3],
  ],
  'looks first': [
    `${right}
def finish(path, key, digest, response):
    db = sqlite3.connect(path)
    with db:
        found = db.execute("SELECT fingerprint, status FROM keys WHERE id = ?", (key,)).fetchone()
        if found != (digest, "pending"):
            return False
        db.execute("UPDATE keys SET response = ?, status = 'done' WHERE id = ?", (json.dumps(response), key))
        return True
`,
    [3],
  ],
  'ends its process': [`${right}\ndef counts(path):\n    import os; os._exit(0)\n`, [7]],
  'cannot be loaded': ['def init_db(path:\n', [1]],
  hostile: [
    `${right}\ndef counts(path):\n    return '</script><img src=x onerror=alert(1)>\\u202e{{x}}\\x1b[31m'\n`,
    [7],
  ],
} as const satisfies Record<string, readonly [string, readonly number[]]>;
type Made = keyof typeof sources;

const reports = {} as Record<Made, Report>;
let browser: Browser;

beforeAll(async () => {
  if (!existsSync(chromium)) throw new Error(`these tests need ${chromium}; install it (Debian: chromium)`);
  browser = await puppeteer.launch({ executablePath: chromium, args: ['--no-sandbox'] });
  for (const [name, [source, steps]] of Object.entries(sources))
    reports[name as Made] = await judged(source, steps);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  workshop.close();
});

function changed(anchor: string, replacement: string): string {
  expect(right.split(anchor)).toHaveLength(2);
  return right.replace(anchor, replacement);
}

function judged(source: string, steps: readonly number[], tongue: Tongue = 'en'): Promise<Report> {
  return judge({
    ...{
      lab,
      tongue,
      place: workshop.write({ 'service.py': source }),
      steps,
      seed: 1,
      runs: 20,
      budget: 120,
    },
    ...{ interpreter: undefined, interrupted: new AbortController().signal, onClause: () => {} },
  });
}

function failed(report: Report): ClauseReport & Required<Pick<ClauseReport, 'failure'>> {
  const clause = report.steps.flatMap(({ clauses }) => clauses).find(({ failure }) => failure);
  return { ...(clause ?? expect.unreachable()), failure: clause?.failure ?? expect.unreachable() };
}

/** The page in a browser, and all that it complained of or asked the network for. */
async function opened(html: string, width = 1280): Promise<{ page: Page; complaints: string[] }> {
  const file = path.join(workshop.folder, `${Math.random()}.html`);
  writeFileSync(file, html);
  const page = await browser.newPage();
  await page.setViewport({ width, height: 800 });
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => complaints.push(dialog.message()));
  page.on('request', (request) => {
    const url = request.url().split('#')[0];
    if (url !== pathToFileURL(file).href && !url?.startsWith('data:')) complaints.push(String(url));
  });
  await page.goto(pathToFileURL(file).href);
  return { page, complaints };
}

describe.each(Object.keys(sources) as Made[])('%s', (name) => {
  test.each(tongues)('is a valid page without a complaint, narrow and wide: %s', async (tongue) => {
    const html = submissionPage(reports[name], lab, textsOf(tongue));
    const rules = { 'no-inline-style': 'off', 'long-title': 'off', 'no-raw-characters': 'off' } as const;
    const validator = new HtmlValidate({ extends: ['html-validate:standard'], rules });
    const { results } = await validator.validateString(html);
    expect(
      results.flatMap(({ messages }) => messages.map(({ ruleId, message, line }) => [line, ruleId, message])),
    ).toEqual([]);
    for (const width of [360, 1280]) {
      const { page, complaints } = await opened(html, width);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(await page.evaluate('document.documentElement.lang')).toBe(tongue);
      expect(complaints).toEqual([]);
      await page.close();
    }
  });

  test.each(['light', 'dark'])('can be read by everybody: %s', async (scheme) => {
    const { page } = await opened(submissionPage(reports[name], lab, textsOf('en')));
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    for (const handle of await page.$$('summary')) await handle.click();
    const session = await page.createCDPSession(); // the page's own policy forbids scripts that are not its own
    await session.send('Page.setBypassCSP', { enabled: true });
    await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
    const violations = await page.evaluate(
      'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))',
    );
    expect(violations).toEqual([]);
    await page.close();
  });
});

test('a failure is told whole: what was asked, called, expected and seen', async () => {
  const { page } = await opened(submissionPage(reports['a value differs'], lab, textsOf('en')));
  const { id, statement, failure } = failed(reports['a value differs']);
  const told = String(await page.$eval(`[id="clause-${id}"]`, ({ textContent }) => textContent));
  const { story, reproduce, hint } = failure;
  const [moment] = story.moments;
  for (const text of [statement, hint, story.expected, story.got, moment?.text, ...(moment?.came ?? [])])
    expect(told).toContain(text);
  expect(told).toContain(reproduce.split('\n')[5]);
  expect(await page.$$eval('.timeline .failed', ({ length }) => length)).toBe(1);
});

test('a cell that is right in a spelling of its own is not marked, beside one that is wrong', async () => {
  const { failure } = failed(reports['another cell differs']);
  const { expected, seen } = failure.story.after ?? expect.unreachable();
  const at = (name: string) => seen.columns.indexOf(name);
  const changedRows = differencesOf(expected, seen).filter(({ kind }) => kind === 'changed');
  expect(changedRows.length).toBeGreaterThan(0);
  for (const row of changedRows) {
    expect(row.seen?.[at('response')]).toBe(row.expected?.[at('response')]);
    expect(row.seen?.[at('expires')]).not.toBe(row.expected?.[at('expires')]);
  }
});

test('the rows after a race stand beside those of the nearest outcome that is allowed', () => {
  const clauses = reports['looks first'].steps.flatMap((step) => step.clauses);
  const race = clauses.find(({ id }) => id === '3.3')?.failure ?? expect.unreachable();
  const { expected, seen } = race.story.after ?? expect.unreachable();
  expect(seen.columns).toEqual(['id', 'fingerprint', 'status', 'response', 'expires']);
  expect(differencesOf(expected, seen).some(({ kind }) => kind !== 'same')).toBe(true);
});

test('that it cannot be loaded is told once, and each step leads there', async () => {
  const report = await judged(sources['cannot be loaded'][0], [1, 2, 4]);
  const { page } = await opened(submissionPage(report, lab, textsOf('en')));
  expect(await page.$$eval('article', ({ length }) => length)).toBe(1);
  expect(await page.$$eval('.clauses a', (links) => links.map((link) => link.getAttribute('href')))).toEqual([
    ...['#clause-1.1', '#clause-1.1', '#clause-1.1'],
  ]);
  await page.close();
});

test('the script is copied by the keyboard', async () => {
  const { page } = await opened(submissionPage(reports['a value differs'], lab, textsOf('en')));
  await page.focus('summary');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await page.$eval('.copy', (button) => button.matches(':focus'))).toBe(true);
  await page.keyboard.press('Enter');
  await page.waitForFunction(
    "['copied', 'selected, to be copied'].includes(document.querySelector('.copy').textContent)",
  );
});

test('what a submission wrote stays a text', async () => {
  const { page, complaints } = await opened(submissionPage(reports.hostile, lab, textsOf('en')));
  expect(await page.$$eval('img', ({ length }) => length)).toBe(0);
  const told = String(await page.$eval('article', ({ textContent }) => textContent));
  expect(told).toContain('</script><img src=x onerror=alert(1)>');
  for (const code of ['\u202e', '\x1b']) expect(told).not.toContain(code);
  expect(complaints).toEqual([]);
});

test('hidden cases are not on the page', () => {
  const report = reports['a value differs'];
  const { id, failure } = failed(report);
  const html = submissionPage(withoutCases(report), lab, textsOf('en'));
  expect(html).toContain(`clause-${id}`);
  for (const secret of [failure.calls[0], failure.path, failure.reproduce.split('\n')[2], '"copy"'])
    expect(html).not.toContain(secret);
});

test('the story is told in the tongue of the learner', async () => {
  const report = await judged(changed('AND expires > ?', 'AND expires >= ?'), [4], 'ko');
  const html = submissionPage(report, lab, textsOf('ko'));
  expect(html).toContain('만료되는 순간부터');
  expect(html).toContain(textsOf('ko').say('page', 'failedHere'));
});

describe('the life of a key', () => {
  test('has the forbidden arrow where the rows say it', async () => {
    const { failure } = failed(reports['rows differ']);
    const turn = turnOf(failure.story, lab.life ?? expect.unreachable());
    expect(turn).toMatchObject({ due: turn?.from, seen: 'purged' });
    const { page } = await opened(submissionPage(reports['rows differ'], lab, textsOf('en')));
    expect(await page.$$eval('.life path.wrong', ({ length }) => length)).toBeGreaterThan(0);
  });

  test('has an arrow that was not taken', () => {
    const { failure } = failed(reports['nothing is stored']);
    const turn = turnOf(failure.story, lab.life ?? expect.unreachable());
    expect(turn).toMatchObject({ from: 'pending', due: 'done', seen: 'pending' });
    expect(submissionPage(reports['nothing is stored'], lab, textsOf('en'))).toContain('class="untaken"');
  });

  test('is left out where the rows do not say it', () => {
    for (const name of ['a value differs', 'ends its process', 'cannot be loaded', 'hostile'] as const)
      expect(submissionPage(reports[name], lab, textsOf('en'))).not.toContain('class="life"');
  });

  test('is left out where something else happened between the rows', () => {
    const { story } = failed(reports['rows differ']).failure;
    const other: Story['moments'][number] = {
      actor: 'other',
      text: 'DELETE FROM keys',
      came: [],
      failed: false,
    };
    expect(
      turnOf({ ...story, moments: [...story.moments, other] }, lab.life ?? expect.unreachable()),
    ).toBeUndefined();
  });
});

test('rows are compared by their first cell', () => {
  const table = (rows: readonly (readonly string[])[]): Table => ({
    ...{ name: 'keys', database: 'path', columns: ['id', 'status'], rows },
  });
  const [a, b, c] = [
    ['a', 'done'],
    ['b', 'done'],
    ['c', 'done'],
  ] as const;
  const found = differencesOf(table([a, b, c]), table([c, ['b', 'pending'], ['d', 'done']]));
  expect(found.map(({ kind, expected, seen }) => [kind, (expected ?? seen)?.[0]])).toEqual([
    ...[
      ['missing', 'a'],
      ['changed', 'b'],
      ['same', 'c'],
      ['extra', 'd'],
    ],
  ]);
});
