import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { projectFile } from '../harness/project.ts';
import { openScratch } from '../harness/scratch.ts';
import { follow } from './guide.ts';

const scratch = openScratch();
afterAll(() => scratch.remove());

test('docs/authors.md does what it says', { timeout: 300_000 }, async () => {
  expect(await follow('docs/authors.md', scratch.folder)).toBe(8);
});

test('docs/authors.md names every field of a manifest', () => {
  const guide = readFileSync(projectFile('docs/authors.md'), 'utf8');
  const [, table = ''] = /\| field \| meaning \|\n(.*?)\n\n/s.exec(guide) ?? [];
  const named = [...table.matchAll(/`([a-zA-Z]+)`(?=[^|]*\|[^|]*\|$)/gm)].map(([, name]) => name);
  const schema = JSON.parse(readFileSync(projectFile('harness/lab.schema.json'), 'utf8'));
  expect(named.sort()).toStrictEqual(Object.keys(schema.properties).sort());
});
