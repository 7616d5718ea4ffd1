import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { projectFile } from '../harness/project.ts';
import { openScratch } from '../harness/scratch.ts';
import { follow } from './guide.ts';

const scratches = [openScratch(), openScratch()] as const;
afterAll(() => {
  for (const scratch of scratches) scratch.remove();
});

describe.concurrent('what a guide says is what happens:', () => {
  test.each([
    ['authors', 8, scratches[0]],
    ['graders', 5, scratches[1]],
  ])('docs/%s.md', { timeout: 300_000 }, async (name, blocks, { folder }) => {
    expect(await follow(`docs/${name}.md`, folder)).toBe(blocks);
  });
});

test('docs/authors.md names every field of a manifest', () => {
  const guide = readFileSync(projectFile('docs/authors.md'), 'utf8');
  const [, table = ''] = /\| field \| meaning \|\n(.*?)\n\n/s.exec(guide) ?? [];
  const named = [...table.matchAll(/`([a-zA-Z]+)`(?=[^|]*\|[^|]*\|$)/gm)].map(([, name]) => name);
  const schema = JSON.parse(readFileSync(projectFile('harness/lab.schema.json'), 'utf8'));
  expect(named.sort()).toStrictEqual(Object.keys(schema.properties).sort());
});
