import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Validation } from '../harness/mutation/validation.ts';
import { projectFile } from '../harness/project.ts';
import { run, start } from './labcheck.ts';
import { Workshop } from './submissions.ts';

/* labcheck validate as it is called: options, formats, exit codes, threads. */

const lab = 'idem-retention-lab';
const reference = readFileSync(projectFile(`reference/${lab}/service.py`), 'utf8');
const workshop = new Workshop();
afterAll(() => workshop.remove());

const variant = workshop.write({ 'service.py': reference });
const timeout = 300_000; // on a machine that has much else to do

/** A folder with one mutant of step 4, in one language. */
function mutants(language: string, anchor: string, replacement: string): string {
  const edits = { [language]: [{ anchor, replacement }] };
  const mutant = { id: 'own', step: 4, clause: '4.2', origin: 'field', why: 'It is wrong.', edits };
  return workshop.write({ 'own.yaml': JSON.stringify([mutant]) });
}

/** Only mutants that are written down, of one variant: the lab's own variants are not asked. */
const small = ['--variant', variant, '--quick', '--origin', 'field'];
const dying = mutants('python', 'AND expires > ?', 'AND expires >= ?');

describe.concurrent('wrong use is one line that names what is wrong, and code 2:', () => {
  const noYaml = workshop.write({ 'own.yaml': '- id: [' });
  const noMutant = workshop.write({ 'own.yaml': '- id: a' });
  const noEquivalent = workshop.write({ 'equivalent.yaml': '- language: cobol' });
  test.each([
    ['no lab', [], /lab/],
    ['an unknown lab', ['idem-other-lab'], /'idem-other-lab'.*labcheck list/],
    ['a step that the lab has not', [lab, '--step', '9'], /--step 9.*1 to 8/],
    ['no seeds', [lab, '--seeds', '0'], /--seeds.*from 1/],
    ['no threads', [lab, '--threads', '0'], /--threads.*from 1/],
    ['an unknown format', [lab, '--format', 'xml'], /--format.*'xml'.*pretty/],
    ['an unknown language', [lab, '--language', 'cobol'], /--language.*'cobol'.*python/],
    ['no folder of mutants', [lab, '--mutants', '/no/such'], /--mutants \/no\/such: .*\*\.yaml/],
    ['mutants that are no YAML', [lab, '--mutants', noYaml], /--mutants .*own\.yaml/],
    ['mutants against the schema', [lab, '--mutants', noMutant], /--mutants .*own\.yaml.*required/],
    ['equivalents against the schema', [lab, '--mutants', noEquivalent], /--mutants .*equivalent\.yaml/],
    ['no variant', [lab, '--variant', '/no/such'], /--variant \/no\/such: .*service\.py/],
    ['no place for a journal', [lab, '--resume', '/no/such/journal'], /--resume \/no\/such\/journal.*ENOENT/],
  ])('%s', async (_, args, message) => {
    const { code, stdout, stderr } = await run(['validate', ...args]);
    expect(stderr).toMatch(message);
    expect([code, stdout]).toStrictEqual([2, '']);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('a verdict is a code of its own:', () => {
  test('0 where all is as it should be, and what is done is not done again', { timeout }, async () => {
    const output = path.join(workshop.folder, 'validation.json');
    const journal = path.join(workshop.folder, 'journal.jsonl');
    const args = ['validate', lab, ...small, '--mutants', dying, '--resume', journal];
    const { code, stdout } = await run([...args, '--format', 'json', '--output', output]);
    expect([code, stdout]).toStrictEqual([0, expect.stringMatching(/^idem-retention-lab: passed\. /m)]);
    const validation: Validation = JSON.parse(readFileSync(output, 'utf8'));
    expect(validation.mutants.map(({ id, status }) => [id, status])).toStrictEqual([
      ['canary', 'killed'],
      ['own', 'killed'],
    ]);
    const before = readFileSync(journal, 'utf8');
    expect((await run(args)).code).toBe(0);
    expect(readFileSync(journal, 'utf8')).toBe(before);
  });

  test('1 for a mutant that survives, which is named', { timeout }, async () => {
    const harmless = mutants('python', 'AND expires > ?', 'AND ? < expires');
    const { code, stdout } = await run(['validate', lab, ...small, '--mutants', harmless]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^✗ own \(python\): survived/m);
    expect(stdout).toMatch(/^ {2}service\.py:\d+\n {4}- AND expires > \?\n {4}\+ AND \? < expires$/m);
  });

  test('1 for a variant that is rejected', { timeout }, async () => {
    const wrong = workshop.write({ 'service.py': reference.replace('AND expires > ?', 'AND expires >= ?') });
    const { code, stdout } = await run(['validate', lab, '--variant', wrong, '--quick']);
    expect([code, stdout]).toStrictEqual([1, expect.stringMatching(/^ {2}variant\/.*: rejected by 4\.\d /m)]);
  });

  test('3 for an interruption, after which the same command goes on', { timeout }, async () => {
    const journal = path.join(workshop.folder, 'interrupted.jsonl');
    const args = ['validate', lab, '--quick', '--step', '4', '--language', 'python', '--resume', journal];
    const running = start([...args, '--threads', '2']);
    await until(() => existsSync(journal) && readFileSync(journal, 'utf8').includes('\n'));
    running.child.kill('SIGINT');
    const { code, stderr } = await running.ended;
    expect([code, stderr]).toStrictEqual([
      3,
      expect.stringMatching(/^labcheck: interrupted; .*interrupted\.jsonl$/m),
    ]);
    expect(readFileSync(journal, 'utf8')).not.toContain('undecided');
  });
});

test('an endless loop in TypeScript is ended with its thread', { timeout }, async () => {
  const endless = mutants('typescript', 'JSON.parse(response)', '(() => {\n  for (;;);\n})()');
  const args = [
    'validate',
    lab,
    '--mutants',
    endless,
    '--language',
    'typescript',
    '--origin',
    'field',
    '--quick',
  ];
  const { code, stdout } = await run([...args, '--format', 'json']);
  const { mutants: all }: Validation = JSON.parse(stdout);
  expect(all.find(({ id }) => id === 'own')).toMatchObject({ status: 'timeout' });
  expect(code).toBe(1);
});

/** Resolves once it holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}
