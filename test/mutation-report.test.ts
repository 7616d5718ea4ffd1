import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addMutationReportCommand } from '../harness/mutation-report-command.ts';
import { mutationElements } from '../harness/report/mutation-elements.ts';
import { openScratch } from '../harness/scratch.ts';
import { UsageError } from '../harness/usage-error.ts';
import { smallValidation } from './validation-fixture.ts';

/* `labcheck mutation-report`: all mutants in one page. */

const scratch = openScratch();
afterAll(() => scratch.remove());

const place = (name: string) => path.join(scratch.folder, name);
const page = place('page.html');

beforeAll(async () => {
  const validation = await smallValidation();
  writeFileSync(place('validation.json'), JSON.stringify(validation));
  const elements = mutationElements([validation]);
  writeFileSync(place('stryker.json'), JSON.stringify(elements));
  for (const file of Object.values(elements.files)) file.source += '\n';
  writeFileSync(place('outdated.json'), JSON.stringify(elements));
  writeFileSync(place('other.json'), '{}');
  writeFileSync(place('no.json'), 'no');
});

function mutationReport(...words: string[]): Promise<unknown> {
  const program = new Command().exitOverride();
  addMutationReportCommand(program);
  return program.parseAsync(['mutation-report', ...words], { from: 'user' });
}

describe('the page of all mutants', () => {
  test('is written', async () => {
    await mutationReport(place('validation.json'), '--output', page);
    const text = readFileSync(page, 'utf8');
    expect(text).toContain('idem-retention-lab/python/reserve-or-replace');
    expect(text).toContain('reference/idem-retention-lab/service.ts');
  });

  test("has Stryker's mutants beside them", async () => {
    await mutationReport(place('validation.json'), '--stryker', place('stryker.json'), '--output', page);
    expect(readFileSync(page, 'utf8').split('reserve-or-replace"').length).toBeGreaterThan(2);
  });

  test.each([
    ['there is no such file', ['none.json'], 'none.json: cannot be read'],
    ['it is no JSON', ['no.json'], 'no.json: cannot be read'],
    ['it is another kind of file', ['other.json'], 'other.json: is another kind of file'],
    ["Stryker's report is another kind of file", ['validation.json', '--stryker', 'other.json'], '--stryker'],
    ["Stryker's report is of other sources", ['validation.json', '--stryker', 'outdated.json'], '--stryker'],
  ])('is refused with one line where %s', async (_, words, message) => {
    const asked = words.map((word) => (word.endsWith('.json') ? place(word) : word));
    const refused = mutationReport(...asked, '--output', page);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.not.toThrow('\n');
  });
});
