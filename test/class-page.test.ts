import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { HtmlValidate } from 'html-validate';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grade } from '../harness/library.ts';
import { projectFile } from '../harness/project.ts';
import { knownLab } from '../harness/registry.ts';
import { failuresOf, groupsAlike, smallest } from '../harness/report/alike.ts';
import type { Change, ClassEntry } from '../harness/report/class.ts';
import { classPage } from '../harness/report/class-page.ts';
import type { Report } from '../harness/report/report.ts';
import { Workshop } from './submissions.ts';

/* The report of a class of 200: made from real results, checked as HTML, and opened in a browser. */

const chromium = '/usr/bin/chromium';
const lab = knownLab('idem-retention-lab');
const right = readFileSync(projectFile('reference/idem-retention-lab/service.py'), 'utf8');
const workshop = new Workshop();

const sources = {
  right,
  'at the instant': right.replace('AND expires > ?', 'AND expires >= ?'),
  unsorted: right.replaceAll('ORDER BY id', 'ORDER BY id DESC'),
  broken: `${right}\ndef oops(:\n`,
  hostile: `${right}\ndef counts(path):\n    return '</script><img src=x onerror=alert(1)>\\u202e{{x}}'\n`,
};
const names = Object.keys(sources) as (keyof typeof sources)[];
const reports = {} as Record<keyof typeof sources, Report>;
const hostileName = '</script><img src=x onerror=alert(2)>\u202e';
let entries: readonly ClassEntry[] = [];
let browser: Browser;

beforeAll(async () => {
  if (!existsSync(chromium)) throw new Error(`these tests need ${chromium}; install it (Debian: chromium)`);
  browser = await puppeteer.launch({ executablePath: chromium, args: ['--no-sandbox'] });
  for (const name of names) {
    const submission = workshop.write({ 'service.py': sources[name] });
    reports[name] = await grade({ lab: lab.id, submission, steps: [4, 5, 7], seed: 1, runs: 20 });
  }
  entries = [
    { name: hostileName, report: reports.right },
    { name: 'unlucky', report: { ...reports.right, verdict: 'undecided', fault: 'the disk is full' } },
    ...Array.from({ length: 198 }, (_, index) => ({
      name: `student ${String(index).padStart(3, '0')}`,
      report: reports[names[index % names.length] as keyof typeof sources],
    })),
  ];
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await workshop.remove();
});

const changes: readonly Change[] = [
  {
    ...{ name: 'student 001', from: 'passed', to: 'failed', because: ['submission'] },
    steps: [{ step: 4, from: 'passed', to: 'failed', clauses: ['4.2'] }],
  },
];
const made = () => classPage(entries, { lab, when: new Date(0), version: '1.2.3', changes });

async function opened(width = 1280, scheme = 'light'): Promise<{ page: Page; complaints: string[] }> {
  const file = path.join(workshop.folder, `class-${width}-${scheme}.html`);
  writeFileSync(file, made());
  const page = await browser.newPage();
  await page.setViewport({ width, height: 800 });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => complaints.push(dialog.message()));
  page.on('request', (request) => {
    const url = request.url();
    if (url !== pathToFileURL(file).href && !url.startsWith('data:')) complaints.push(url);
  });
  await page.goto(pathToFileURL(file).href);
  return { page, complaints };
}

const rowNames = (page: Page) =>
  page.$$eval('.map tbody tr:not([hidden]) th', (heads) =>
    heads.map((head) => head.getAttribute('data-value')),
  );

test('is a valid page, without a complaint or a request, and below 3 MB', async () => {
  const rules = { 'no-inline-style': 'off', 'long-title': 'off', 'no-raw-characters': 'off' } as const;
  const validator = new HtmlValidate({ extends: ['html-validate:standard'], rules });
  const { results } = await validator.validateString(made());
  expect(
    results.flatMap(({ messages }) => messages.map(({ ruleId, message, line }) => [line, ruleId, message])),
  ).toEqual([]);
  expect(made().length).toBeLessThan(3_000_000);
  for (const width of [360, 1280]) {
    const { page, complaints } = await opened(width);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(complaints).toEqual([]);
    await page.close();
  }
});

test.each(['light', 'dark'])('can be read by everybody: %s', async (scheme) => {
  const { page } = await opened(1280, scheme);
  await page.$$eval('details', (all) => {
    for (const each of all) each.setAttribute('open', '');
  });
  const session = await page.createCDPSession(); // the page's own policy forbids scripts that are not its own
  await session.send('Page.setBypassCSP', { enabled: true });
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  const violations = await page.evaluate(
    'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html }) => html)]))',
  );
  expect(violations).toEqual([]);
  await page.close();
});

test('is sorted by the keyboard, by any column, either way', async () => {
  const { page } = await opened();
  const sort = async (column: number) => {
    await page.focus(`.map thead th:nth-child(${column}) button`);
    await page.keyboard.press('Enter');
  };
  await sort(3); // step 5
  const firsts = () =>
    page.$$eval('.map tbody tr td:nth-child(3)', (cells) =>
      cells.map((cell) => Number(cell.getAttribute('data-value'))),
    );
  const ascending = await firsts();
  expect(ascending).toEqual([...ascending].sort((a, b) => a - b));
  expect(new Set(ascending).size).toBeGreaterThan(1);
  expect(await page.$eval('.map thead th:nth-child(3)', (head) => head.getAttribute('aria-sort'))).toBe(
    'ascending',
  );
  await sort(3);
  expect(await firsts()).toEqual([...ascending].reverse());
  await sort(1);
  const byName = (await rowNames(page)).map(String);
  expect(byName).toEqual([...byName].sort((a, b) => a.localeCompare(b)));
  await page.close();
});

test('shows those that are looked for', async () => {
  const { page } = await opened();
  await page.type('input[name=text]', 'STUDENT 01');
  expect(await rowNames(page)).toHaveLength(10);
  await page.select('select[name=verdict]', 'passed');
  expect(await rowNames(page)).toEqual(['student 010', 'student 015']);
  expect(await page.$eval('output', ({ textContent }) => textContent)).toBe('2 of 200 submissions');
  await page.close();
});

test('a cell opens what failed; Escape closes it', async () => {
  const { page, complaints } = await opened();
  const cell = 'button[aria-label^="student 001, step 4"]';
  await page.focus(cell);
  await page.keyboard.press('Enter');
  await page.waitForSelector('dialog[open]');
  const told = await page.$eval('dialog', ({ textContent }) => textContent);
  const [failure] = failuresOf([{ name: '', report: reports['at the instant'] }]);
  for (const text of [failure?.clause, ...(failure?.failure.calls ?? []), failure?.failure.got])
    expect(told).toContain(text);
  await page.keyboard.press('Escape');
  expect(await page.$('dialog[open]')).toBeNull();
  expect(await page.$eval(cell, (element) => element.matches(':focus'))).toBe(true);
  expect(complaints).toEqual([]);
  await page.close();
});

test('tells what could not be judged apart, and whose verdict changed', async () => {
  const { page } = await opened();
  const of = (id: string) => page.$eval(`[aria-labelledby=${id}]`, ({ textContent }) => String(textContent));
  expect(await of('unjudged')).toMatch(/unlucky.*the disk is full/);
  expect(await of('changes')).toMatch(/student 001passed → failed.*4\.2.*the submission is another/);
  await page.close();
});

test('what a submission wrote or is called stays a text', async () => {
  const { page, complaints } = await opened();
  expect(await page.$$eval('img', ({ length }) => length)).toBe(0);
  expect(String(await page.$eval('main', ({ textContent }) => textContent))).not.toContain('\u202e');
  expect((await rowNames(page))[0]).toContain('<img src=x onerror=alert(2)>');
  expect(complaints).toEqual([]);
  await page.close();
});

test('on paper all that is folded is open', async () => {
  const { page } = await opened();
  await page.pdf({ path: path.join(workshop.folder, 'class.pdf') });
  expect(await page.$$eval('details', (all) => all.every((each) => each.hasAttribute('open')))).toBe(true);
  await page.close();
});

describe('what failures have in common', () => {
  test('the smallest counterexample has the fewest lines, whatever the order', () => {
    const seen = failuresOf(entries).filter(({ clause }) => clause.startsWith('5.'));
    const lines = ({ failure }: (typeof seen)[number]) => failure.given.length + failure.calls.length;
    const told = seen.filter(({ failure }) => failure.path !== null);
    const least = smallest(seen) ?? expect.unreachable();
    expect(lines(least)).toBe(Math.min(...told.map(lines)));
    expect(smallest([...seen].reverse())).toEqual(least);
  });

  test('those that fail the same clauses are one group, those that cannot be loaded another', () => {
    const groups = groupsAlike(entries);
    const sizes = groups.map(({ names }) => names.length);
    expect(sizes).toEqual([40, 40, 39, 39]);
    const members = groups.map(({ names: [first = ''] }) => first).sort();
    expect(members).toEqual(['student 001', 'student 002', 'student 003', 'student 004']);
    for (const { names: alike } of groups) {
      const kinds = new Set(alike.map((name) => Number(name.slice(-3)) % names.length));
      expect(kinds.size).toBe(1);
    }
  });
});
