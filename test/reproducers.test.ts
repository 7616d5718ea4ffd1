import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { now } from '../harness/clock.ts';
import { LocalLane } from '../harness/lane.ts';
import { type Tongue, textsOf, tongues } from '../harness/messages/texts.ts';
import {
  applyEdits,
  loadMutants,
  type Mutant,
  mutantsFolder,
  referenceSource,
} from '../harness/mutation/mutants.ts';
import { toldFor } from '../harness/report/report.ts';
import { plain } from '../harness/sandbox.ts';
import { python3, Workshop } from './submissions.ts';

/*
 * A failure comes with a script that shows it without the grader: it exits with 1 beside the mutant, and with 0 once
 * the correct file stands in its place.
 */

const lab = 'idem-retention-lab';
const reference = referenceSource(lab, 'service', 'python');
const workshop = new Workshop();
afterAll(() => workshop.remove());

/** Mistakes of the field that only show across processes, under a held lock, by a trigger, or by a lock left. */
const ofTheField = [
  'init-once-a-process',
  'init-drops-table',
  'init-expires-integer',
  'reserve-looks-then-inserts',
  'reserve-looks-then-replaces',
  'reserve-in-first-database',
  'finish-encodes-twice',
  'finish-looks-then-updates',
  'finish-leaves-transaction-open',
  'fetch-deletes-lazily',
  'limit-left-to-database',
  'purge-selects-in-autocommit',
  'purge-commits-half',
  'purge-without-rollback',
  'purge-of-nothing-keeps-lock',
  'counts-leaves-transaction-open',
  'cycle-reserves-only',
  'cycle-without-finish',
  'cycle-keeps-lock',
];

const mutants = loadMutants(mutantsFolder(lab));
const chosen = mutants.filter(({ id, origin }) => origin === 'worksheet' || ofTheField.includes(id));

test('every mutant named here is there', () => {
  expect(ofTheField.filter((name) => !mutants.some(({ id }) => id === name))).toEqual([]);
});

describe.concurrent('the script of a failure', () => {
  test.each(chosen)('shows $id (clause $clause), and that it is mended', async (mutant) => {
    const folder = workshop.write({ 'service.py': applyEdits(reference, mutant.edits.python ?? []) });
    const entry = path.join(folder, 'service.py');
    const script = await reproducer(mutant, entry);
    expect(await run(script), script).toMatchObject({ code: 1, errors: '' });
    writeFileSync(entry, reference);
    expect(await run(script), script).toMatchObject({ code: 0, errors: '' });
  });

  test.each(tongues)('ends in the same way in %s, and says it there', async (tongue) => {
    const [mutant = expect.unreachable()] = mutants.filter(({ id }) => id === 'finish-looks-then-updates');
    const source = applyEdits(reference, mutant.edits.python ?? []);
    const entry = path.join(workshop.write({ 'service.py': source }), 'service.py');
    const script = await reproducer(mutant, entry, tongue);
    const { say } = textsOf(tongue);
    const { code, errors, output } = await run(script);
    expect({ code, errors }, script).toEqual({ code: 1, errors: '' });
    expect(output).toContain(`${say('terminal', 'got')}:`);
    const comments = [...script.matchAll(/(?:^| {2})# (.+)$/gm)].map(([, comment = '']) => comment);
    expect(comments.length).toBeGreaterThan(5);
    for (const comment of comments) {
      if (tongue === 'en') expect(comment).not.toMatch(/[\p{scx=Han}\p{scx=Hangul}]/u);
      else expect(comment).toMatch(/[\p{scx=Han}\p{scx=Hangul}]/u);
    }
  });

  test('of a call that does not come back promises no exit code', async () => {
    const entry = path.join(
      workshop.write({ 'service.py': `${reference}\nimport os\ndef counts(path):\n    os._exit(0)\n` }),
      'service.py',
    );
    const script = await reproducer({ step: 7, clause: '7.1' }, entry);
    expect(script).not.toContain('Exits with 1');
    expect(await run(script)).toEqual({ code: 0, errors: '', output: '' });
    writeFileSync(entry, reference);
    expect((await run(script)).output).toBe('every call came back\n');
  });

  test('starts a second process where the mistake needs one', async () => {
    const [mutant] = mutants.filter(({ id }) => id === 'init-once-a-process');
    const source = applyEdits(reference, mutant?.edits.python ?? []);
    const entry = path.join(workshop.write({ 'service.py': source }), 'service.py');
    expect(mutant && (await reproducer(mutant, entry))).toContain('other.submit(service.init_db');
  });
});

/** The script of the failure that the mutant's clause finds. */
async function reproducer(
  { step, clause }: Pick<Mutant, 'step' | 'clause'>,
  entry: string,
  tongue?: Tongue,
): Promise<string> {
  const submission = { kind: 'python', entry, interpreter: python3 } as const;
  const { folder } = workshop;
  const limits = { tongue, seed: 1, runs: undefined, callLimit: 5_000, confinement: plain };
  const lane = new LocalLane({ lab, submission, folder, ...limits }, new AbortController().signal);
  const deadline = now() + 30_000;
  const { failure } = await lane.verify({ step, clause, deadline, share: deadline });
  await lane.close();
  return failure ? toldFor(failure).reproduce : '';
}

/** How a script ends that is run by hand, in a folder of its own. */
function run(script: string): Promise<{ code: number | string; errors: string; output: string }> {
  const folder = workshop.write({ 'reproduce.py': script });
  const env = { ...process.env, TMPDIR: folder };
  return new Promise((resolve) => {
    execFile(python3, ['reproduce.py'], { cwd: folder, env }, (error, output, errors) => {
      resolve({ code: error?.code ?? 0, errors, output });
    });
  });
}
