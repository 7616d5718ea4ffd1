import { expect, test, vi } from 'vitest';

/* What the runner says of the canaries' mutants is known beforehand: run.mjs believes nothing else if it is wrong. */

const questions = [41, 42];

test('a canary whose mutants die', async () => {
  vi.resetModules();
  const { answered } = await import('./canary-dies.ts');
  expect(questions.map(answered)).toEqual(['no', 'yes']);
});

test('a canary whose mutants live', async () => {
  vi.resetModules();
  const { ignored } = await import('./canary-lives.ts');
  expect(questions.map(ignored)).toHaveLength(questions.length);
});
