import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv } from 'ajv';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { referenceBase, textOf } from '../harness/mutation/base.ts';
import { patched } from '../harness/mutation/mutants.ts';
import type { MutantResult, MutantStatus, Validation } from '../harness/mutation/validation.ts';
import { labById } from '../harness/registry.ts';
import { matrixPage } from '../harness/report/matrix-page.ts';
import {
  type ElementsReport,
  mutationElements,
  mutationElementsPage,
  SourceDiffers,
} from '../harness/report/mutation-elements.ts';
import { openScratch } from '../harness/scratch.ts';
import { smallValidation } from './validation-fixture.ts';

/* The pages of a validation: as data, and in a browser, which clicks through them. */

const chromium = '/usr/bin/chromium';
const scratch = openScratch();
let validation: Validation;
let browser: Browser;

beforeAll(async () => {
  if (!existsSync(chromium)) throw new Error(`these tests need ${chromium}; install it (Debian: chromium)`);
  browser = await puppeteer.launch({ executablePath: chromium, args: ['--no-sandbox'] });
  validation = await smallValidation();
});
afterAll(async () => {
  await browser?.close();
  scratch.remove();
});

/** A page as a browser shows it, and all that it complained of or asked the network for. */
async function opened(html: string): Promise<{ page: Page; complaints: string[] }> {
  const file = path.join(scratch.folder, `${Math.random()}.html`);
  writeFileSync(file, html);
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const url = request.url();
    if (url !== pathToFileURL(file).href && !url.startsWith('data:')) complaints.push(url);
  });
  await page.goto(pathToFileURL(file).href);
  return { page, complaints };
}

const visibleMutants = (page: Page) =>
  page.$$eval('tr[data-status]:not([hidden]) th button', (buttons) =>
    buttons.map((button) => button.textContent),
  );

describe('the kill matrix', () => {
  test('shows survivors first, and a row for each mutant', async () => {
    const { page, complaints } = await opened(matrixPage(validation));
    const names = await visibleMutants(page);
    expect(names[0]).toBe('identity');
    expect([...names].sort()).toEqual(validation.mutants.map(({ id }) => id).sort());
    expect(complaints).toEqual([]);
  });

  test('opens the smallest failing input of a cell; Escape closes it, and the cell has the focus again', async () => {
    const { page, complaints } = await opened(matrixPage(validation));
    const cell = 'button[aria-label^="fetch-at-expiry, step 4"]';
    await page.focus(cell);
    await page.keyboard.press('Enter');
    await page.waitForSelector('dialog[open]');
    const told = await page.$eval('dialog', ({ textContent }) => textContent);
    const failure = validation.mutants.find(({ id }) => id === 'fetch-at-expiry')?.cells[3]?.failures[0];
    expect(failure?.clause).toBe('4.2');
    const { given = [], calls = [], expected = '', got = '', reproduce = '' } = failure?.report ?? {};
    for (const text of [
      ...given,
      ...calls,
      expected,
      got,
      reproduce.trim(),
      '- AND expires > ?',
      '+ AND expires >= ?',
    ]) {
      expect(told).toContain(text);
    }
    await page.keyboard.press('Escape');
    expect(await page.$('dialog[open]')).toBeNull();
    expect(await page.$eval(cell, (element) => element.matches(':focus'))).toBe(true);
    expect(complaints).toEqual([]);
  });

  test('copies the script', async () => {
    const { page } = await opened(matrixPage(validation));
    await page.click('button[aria-label^="fetch-at-expiry, step 4"]');
    await page.click('dialog .copy');
    await page.waitForFunction(
      "['copied', 'selected, to be copied'].includes(document.querySelector('.copy').textContent)",
    );
  });

  test('filters by words and by properties, and can be reset', async () => {
    const { page, complaints } = await opened(matrixPage(validation));
    await page.select('select[name=language]', 'typescript');
    expect(await visibleMutants(page)).toEqual(['finish-again']);
    await page.select('select[name=language]', 'python');
    await page.type('input[name=text]', 'INSTANT');
    expect(await visibleMutants(page)).toEqual(['fetch-at-expiry']);
    expect(await page.$eval('output', ({ textContent }) => textContent)).toBe('1 of 5 mutants');
    await page.click('button[type=reset]');
    await page.waitForFunction("document.querySelector('output').textContent === '5 of 5 mutants'");
    await page.select('select[name=status]', 'survived');
    expect(await visibleMutants(page)).toEqual(['identity']);
    expect(complaints).toEqual([]);
  });

  test('is not wider than a phone', async () => {
    const { page } = await opened(matrixPage(validation));
    await page.setViewport({ width: 390, height: 844, isMobile: true });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  test('shows markup in data as text, and runs none of it', async () => {
    const hostile = `"'></template></script><img src=x onerror="document.title='run'"><script>document.title='run'</script>`;
    const mutants = validation.mutants.map((mutant) => ({
      ...mutant,
      id: hostile,
      why: hostile,
      operator: hostile,
    }));
    const { page, complaints } = await opened(matrixPage({ ...validation, mutants }));
    expect(await page.$eval('td.why', ({ textContent }) => textContent)).toBe(hostile);
    await page.click('td button');
    expect(await page.$eval('#opened-title', ({ textContent }) => textContent)).toBe(hostile);
    expect(await page.title()).not.toBe('run');
    expect(complaints).toEqual([]);
  });
});

describe('the report for Mutation Testing Elements', () => {
  const ofStryker = (report: ElementsReport): ElementsReport => {
    const [name = '', file] = Object.entries(report.files).find(([path]) => path.endsWith('.ts')) ?? [];
    const { location = { start: { line: 1, column: 1 }, end: { line: 1, column: 2 } } } =
      file?.mutants[0] ?? {};
    const status = 'Killed' as const;
    const mutant = { id: '0', mutatorName: 'StringLiteral', status, location, killedBy: ['7'] };
    return {
      schemaVersion: '1.0',
      thresholds: { high: 80, low: 60 },
      files: { [name]: { language: 'typescript', source: file?.source ?? '', mutants: [mutant] } },
      testFiles: { 'test/contracts.test.ts': { tests: [{ id: '7', name: 'a clause' }] } },
    };
  };

  const valid = () => {
    const schema = createRequire(import.meta.url).resolve(
      'mutation-testing-report-schema/mutation-testing-report-schema.json',
    );
    return new Ajv({ validateFormats: false }).compile(JSON.parse(readFileSync(schema, 'utf8')));
  };

  const mutantNamed = (report: ElementsReport, name: string) =>
    Object.values(report.files)
      .flatMap(({ mutants }) => mutants)
      .find(({ id }) => id.endsWith(name));

  test("is as the schema says, with Stryker's mutants or without", () => {
    const report = mutationElements([validation]);
    const check = valid();
    for (const each of [report, mutationElements([validation], ofStryker(report))]) {
      check(each);
      expect(check.errors).toBeNull();
    }
  });

  test('has each mutant once, with the clauses that killed it', () => {
    const { files, testFiles } = mutationElements([validation]);
    const counts = Object.entries(files).map(([name, { language, mutants }]) => [
      name,
      language,
      mutants.length,
    ]);
    expect(counts).toEqual([
      ['reference/idem-retention-lab/service.py', 'python', 4],
      ['reference/idem-retention-lab/service.ts', 'typescript', 1],
    ]);
    const killed = mutantNamed(mutationElements([validation]), 'python/fetch-at-expiry');
    expect(killed).toMatchObject({
      status: 'Killed',
      killedBy: expect.arrayContaining(['idem-retention-lab/4.2']),
    });
    expect(Object.keys(testFiles ?? {})).toContain('checks/idem-retention-lab/04-fetch.contract.ts');
  });

  test('puts changes near each other in one, and they make the same source', () => {
    const lab = labById('idem-retention-lab');
    const source = (lab && textOf(referenceBase(lab, 'python'), 'service.py')) ?? '';
    const { location, replacement = '' } =
      mutantNamed(mutationElements([validation]), 'reserve-or-replace') ?? {};
    const offset = (line = 1, column = 1) =>
      source
        .split('\n')
        .slice(0, line - 1)
        .join('\n').length +
      (line > 1 ? 1 : 0) +
      column -
      1;
    const [from, to] = [
      offset(location?.start.line, location?.start.column),
      offset(location?.end.line, location?.end.column),
    ];
    expect(patched(source, [{ from, to, replacement }])).toBe(
      source
        .replace('INSERT INTO keys(', 'INSERT OR REPLACE INTO keys(')
        .replace('" ON CONFLICT(id) DO NOTHING"', '""'),
    );
  });

  test('shows the most of what is changed, and names the rest', () => {
    const mutant = validation.mutants.find(({ id }) => id === 'fetch-at-expiry');
    const place = { line: 1, column: 1 };
    const added = { file: 'service.py', start: place, end: place, original: '', replacement: 'import re' };
    const changes = [added, ...(mutant?.changes ?? [])];
    const report = mutationElements([{ ...validation, mutants: [{ ...mutant, changes } as MutantResult] }]);
    const shown = mutantNamed(report, 'fetch-at-expiry');
    expect(shown?.replacement).toBe('AND expires >= ?');
    expect(shown?.description).toContain('import re');
  });

  test('counts as detected what was killed, as undetected what got past its clause, and nothing else', () => {
    const statuses: readonly MutantStatus[] = [
      ...(['killed', 'survived', 'flaky', 'killed elsewhere', 'crash'] as const),
      ...(['timeout', 'stillborn', 'invalid', 'equivalent', 'undecided'] as const),
    ];
    const mutants = statuses.map(
      (status) => ({ ...validation.mutants[0], id: status, status }) as MutantResult,
    );
    const report = mutationElements([{ ...validation, mutants }]);
    const having = (...wanted: readonly string[]) =>
      statuses.filter((status) => wanted.includes(mutantNamed(report, `/${status}`)?.status ?? ''));
    expect(having('Killed', 'Timeout')).toEqual(['killed']);
    expect(having('Survived', 'NoCoverage')).toEqual(['survived', 'flaky', 'killed elsewhere']);
  });

  test('has a mutant that could not be made at the head of the entry file', () => {
    const invalid = { ...validation.mutants[0], status: 'invalid', changes: [], cells: [] } as MutantResult;
    const [name] = Object.keys(mutationElements([{ ...validation, mutants: [invalid] }]).files);
    expect(name).toBe('reference/idem-retention-lab/service.py');
  });

  test("refuses Stryker's report of another state of a file", () => {
    const stryker = ofStryker(mutationElements([validation]));
    for (const file of Object.values(stryker.files)) file.source += '\n';
    expect(() => mutationElements([validation], stryker)).toThrow(SourceDiffers);
  });

  test('is a page that shows the files, their mutants and the tests, without a network', async () => {
    const { page, complaints } = await opened(mutationElementsPage(mutationElements([validation])));
    await page.waitForSelector('>>> tbody');
    const rows = await page.$$eval('>>> tbody tr', (all) =>
      all.map((row) => [...row.children].map((cell) => cell.textContent?.trim())),
    );
    expect(rows.map((row) => row.filter(Boolean)).map((row) => [row[0], row.at(-1)])).toEqual([
      ['All files', '5'],
      ['service.py', '4'],
      ['service.ts', '1'],
    ]);
    await page.click('>>> tbody a[href$="service.py"]');
    await page.waitForSelector('>>> code .token.keyword');
    expect(complaints).toEqual([]);
  });
});
