import { describe, expect, test } from 'vitest';
import { projectFile } from '../harness/project.ts';

/* What `npm run mutation` thinks of a report of Stryker's. */

interface Mutant {
  status: string;
  statusReason?: string;
}

type Files = Record<string, { source: string; mutants: object[] }>;

const { canaries, problemsOf, withoutCanaries } = (await import(projectFile('test/stryker/report.mjs'))) as {
  canaries: Readonly<Record<string, string>>;
  problemsOf(report: { files: Files }, references: readonly string[]): string[];
  withoutCanaries(report: { files: Files }): { files: Files };
};

const reference = 'reference/some-lab/some.ts';

function report(...mutants: Mutant[]): { files: Files } {
  const files: Files = { [reference]: fileOf(mutants) };
  for (const [name, status] of Object.entries(canaries)) files[name] = fileOf([{ status }]);
  return { files };
}

function fileOf(mutants: Mutant[]): Files[string] {
  const location = { start: { line: 1, column: 5 }, end: { line: 1, column: 6 } };
  const whole = mutants.map((mutant) => ({ mutatorName: 'M', location, replacement: 'y', ...mutant }));
  return { source: 'let x;', mutants: whole };
}

function problems(...mutants: Mutant[]): string[] {
  return problemsOf(report(...mutants), [reference]);
}

describe('a report of Stryker', () => {
  test.each([
    { status: 'Killed', statusReason: 'contract: f(); expected 1; got 2' },
    { status: 'Timeout', statusReason: 'Hit limit reached (101/100)' },
    { status: 'Ignored', statusReason: 'it is the same' },
  ])('$status, $statusReason', (mutant) => {
    expect(problems(mutant)).toEqual([]);
  });

  test.each([
    { status: 'Survived' },
    { status: 'NoCoverage' },
    { status: 'RuntimeError' },
    { status: 'CompileError' },
    { status: 'Pending' },
    { status: 'Timeout' },
    { status: 'Ignored' },
    { status: 'Ignored', statusReason: 'Ignored using a comment' },
    { status: 'Killed', statusReason: 'undecided: the disk is full' },
  ])('$status, $statusReason, is not as it should be', (mutant) => {
    expect(problems({ status: 'Killed' }, mutant)).toEqual([
      expect.stringMatching(/^reference\/some-lab\/some\.ts:1:5: M, x → y: ./),
    ]);
  });

  test('that leaves a reference out is not complete', () => {
    expect(problemsOf(report({ status: 'Killed' }), [reference, 'reference/other.ts'])).toEqual([
      expect.stringContaining('reference/other.ts'),
    ]);
  });

  test.each(Object.keys(canaries))('is void without %s', (name) => {
    const { files } = report({ status: 'Killed' });
    const { [name]: _, ...others } = files;
    expect(problemsOf({ files: others }, [reference])).toEqual([expect.stringContaining(name)]);
  });

  test.each(
    Object.entries(canaries).flatMap(([name, due]) =>
      ['Killed', 'Survived', 'Timeout', 'NoCoverage']
        .filter((it) => it !== due)
        .map((it) => [name, it] as const),
    ),
  )('is void where %s is %s, whatever else is in it', (name, status) => {
    const { files } = report({ status: 'Survived' });
    const broken = { files: { ...files, [name]: fileOf([{ status }]) } };
    expect(problemsOf(broken, [reference])).toEqual([
      expect.stringMatching(new RegExp(`^${name}.* believe nothing`)),
    ]);
  });

  test('is passed on without the canaries', () => {
    expect(Object.keys(withoutCanaries(report()).files)).toEqual([reference]);
  });
});
