import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { now } from '../harness/clock.ts';
import { addLabDirs } from '../harness/lab-dir.ts';
import { LocalLane } from '../harness/lane.ts';
import { projectFile } from '../harness/project.ts';
import { knownLab, labs } from '../harness/registry.ts';
import type { Report } from '../harness/report/report.ts';
import { plain } from '../harness/sandbox.ts';
import { UsageError } from '../harness/usage-error.ts';
import { type Ended, run } from './labcheck.ts';
import { python3, Workshop } from './submissions.ts';

/* Labs that are no part of this project. */

const workshop = new Workshop();
afterAll(() => workshop.remove());

/** A folder with the lab that `labcheck new lab` lays out. */
async function newLab(name: string, kind = 'functions'): Promise<string> {
  const parent = mkdtempSync(path.join(workshop.folder, 'labs-'));
  const { code, stderr } = await runIn(parent, 'new', 'lab', name, '--kind', kind);
  expect([code, stderr]).toStrictEqual([0, '']);
  return parent;
}

/** labcheck in a folder. The build is a copy, whose place `run` knows. */
async function runIn(cwd: string, ...args: string[]): Promise<Ended> {
  const before = process.cwd();
  process.chdir(cwd);
  try {
    return await run(args);
  } finally {
    process.chdir(before);
  }
}

async function reportOf(args: readonly string[]): Promise<Report> {
  const { stdout } = await run(['grade', ...args, '--format', 'json']);
  return JSON.parse(stdout);
}

const kindsOf = ({ steps }: Report) =>
  steps.flatMap(({ clauses }) => clauses.map(({ id, failure, verdict }) => [id, failure?.kind ?? verdict]));

const echo = (number: number, expected: string) => `import fc from 'fast-check';
import { type Bench, clause, expectSame, step } from 'idem-lab-checks/contract';
export default step(${number}, 'echo', {
  '${number}.1 it says so': clause({ text: fc.constantFrom('a', 'b') }, async ({ bench }: { bench: Bench }, { text }) => {
    expectSame(await bench.call({ process: 0, name: 'echo', args: [text, 'é'] }), ${expected});
  }),
});
`;
const manifest = `schemaVersion: 1
id: echo-lab
title: An echo
kind: functions
entry: service
budget: 45
`;
/** A lab of two steps: with more than one, other threads verify, too. */
const echoLab = {
  'lab.yaml': manifest,
  '01-first.contract.ts': echo(1, 'text'),
  '02-second.contract.ts': echo(2, 'text'),
};

describe('a lab in a folder', () => {
  const folder = workshop.write(echoLab);
  const right = workshop.write({ 'service.py': 'def echo(text, other):\n    return text\n' });
  const wrong = workshop.write({ 'service.py': "def echo(text, other):\n    return 'a'\n" });

  test('is listed, by its own folder, by that around it, and by the environment', async () => {
    const around = mkdtempSync(path.join(workshop.folder, 'around-'));
    cpSync(folder, path.join(around, 'inside'), { recursive: true });
    for (const [args, env] of [
      [['list', '--lab-dir', folder], {}],
      [['--lab-dir', around, 'list'], {}],
      [['list'], { LABCHECK_LAB_DIR: folder }],
      [['list', '--lab-dir', folder, '--lab-dir', folder], { LABCHECK_LAB_DIR: folder }],
    ] as const) {
      const { code, stdout } = await run(args, env);
      expect([code, stdout.match(/^echo-lab /gm)]).toStrictEqual([0, ['echo-lab ']]);
    }
  });

  test('judges, in all threads by the modules that the grader runs', async () => {
    const args = ['echo-lab', '--lab-dir', folder];
    expect(kindsOf(await reportOf([...args, '--submission', right]))).toStrictEqual([
      ['1.1', 'passed'],
      ['2.1', 'passed'],
    ]);
    const failed = await reportOf([...args, '--submission', wrong]);
    expect(kindsOf(failed)).toStrictEqual([
      ['1.1', 'contract'],
      ['2.1', 'contract'],
    ]);
    const [clause] = failed.steps[1]?.clauses ?? [];
    expect(clause?.failure).toMatchObject({ calls: ["echo('b', 'é') -> 'a'"], expected: "'b'", got: "'a'" });
    const script = workshop.write({ 'shows.py': clause?.failure?.reproduce ?? '' });
    expect(spawnSync(python3, [path.join(script, 'shows.py')]).status).toBe(1);
  });

  test('has its clauses work with what its context makes, once a run and once a case', async () => {
    const withContext = workshop.write({
      'lab.yaml': `${manifest}context: context.ts\n`,
      'context.ts': `import { type Bench, seen, type Value } from 'idem-lab-checks/contract';
export const prepare = async (bench: Bench) => seen(await bench.call({ process: 0, name: 'echo', args: ['p', ''] }));
export const open = (bench: Bench, prepared: Value) => ({ bench, prepared });
`,
      '01-first.contract.ts': echo(1, 'prepared').replace(
        '{ bench }: { bench: Bench }',
        '{ bench, prepared }: any',
      ),
    });
    const args = ['echo-lab', '--lab-dir', withContext, '--submission'];
    const constant = workshop.write({ 'service.py': "def echo(text, other):\n    return 'p'\n" });
    expect(kindsOf(await reportOf([...args, constant]))).toStrictEqual([['1.1', 'passed']]);
    expect(kindsOf(await reportOf([...args, right]))).toStrictEqual([['1.1', 'contract']]);
  });

  test('has an error of its own code never held against a submission', async () => {
    const faulty = workshop.write({ ...echoLab, '02-second.contract.ts': echo(2, "text.nothing['at all']") });
    const report = await reportOf(['echo-lab', '--lab-dir', faulty, '--submission', wrong, '--step', '2']);
    expect(kindsOf(report)).toStrictEqual([['2.1', 'undecided']]);
  });

  test('can be judged from source, too', async () => {
    const sourceLab = { ...echoLab, 'lab.yaml': manifest.replace('echo-lab', 'source-lab') };
    await addLabDirs([workshop.write(sourceLab)]);
    const lab = knownLab('source-lab');
    const verify = async (place: string) => {
      const submission = {
        kind: 'python',
        entry: path.join(place, 'service.py'),
        interpreter: python3,
      } as const;
      const scratch = mkdtempSync(path.join(workshop.folder, 'scratch-'));
      const run = { lab: lab.id, submission, folder: scratch, seed: 1, runs: undefined, callLimit: 5_000 };
      const lane = new LocalLane({ ...run, confinement: plain }, new AbortController().signal);
      const deadline = now() + 60_000;
      const report = await lane.verify({ step: 1, clause: '1.1', deadline, share: deadline });
      await lane.close();
      return report.failure?.kind ?? report.verdict;
    };
    expect([await verify(right), await verify(wrong)]).toStrictEqual(['passed', 'contract']);
  });
});

describe('what is wrong with a lab is one line that names file, field and remedy:', () => {
  const lines = (changes: Record<string, string | undefined>) =>
    manifest
      .split('\n')
      .flatMap((line) => {
        const [field = ''] = line.split(':');
        if (!(field in changes)) return [line];
        return changes[field] === undefined ? [] : [`${field}: ${changes[field]}`];
      })
      .join('\n');
  const withManifest = (changes: Record<string, string | undefined>) => ({
    ...echoLab,
    'lab.yaml': lines(changes),
  });
  const without = (name: keyof typeof echoLab) => {
    const { [name]: _, ...others } = echoLab;
    return others;
  };
  test.each<[string, Record<string, string>, RegExp]>([
    [
      'a budget that is no number',
      withManifest({ budget: 'soon' }),
      /\/lab\.yaml: budget: .*write 'budget: 45'/,
    ],
    ['a budget that is too large', withManifest({ budget: '601' }), /\/lab\.yaml: budget: .*1 to 600.*write/],
    ['no title', withManifest({ title: undefined }), /\/lab\.yaml: title: .*write 'title: /],
    [
      'a kind that there is not',
      withManifest({ kind: 'essay' }),
      /\/lab\.yaml: kind: .*functions.*scripts.*write/,
    ],
    ['an id with capitals', withManifest({ id: 'MyLab' }), /\/lab\.yaml: id: .*write 'id: my-lab'/],
    ['an id that is taken', withManifest({ id: 'idem-retention-lab' }), /\/lab\.yaml: id: .*choose another/],
    [
      'a later format',
      withManifest({ schemaVersion: '2' }),
      /\/lab\.yaml: schemaVersion: .*write 'schemaVersion: 1'/,
    ],
    ['a field too much', { ...echoLab, 'lab.yaml': `${manifest}buget: 3\n` }, /\/lab\.yaml: buget: .*budget/],
    [
      'a product of no step',
      { ...echoLab, 'lab.yaml': `${manifest}products: { first: { script: a, makes: [b] } }\n` },
      /\/lab\.yaml: products\.first: .*from 1 to 99/,
    ],
    [
      'a product without files',
      { ...echoLab, 'lab.yaml': `${manifest}products: { 1: { script: a, makes: [] } }\n` },
      /\/lab\.yaml: products\.1\.makes: .*write 'makes: /,
    ],
    [
      'a product of a step too far',
      { ...echoLab, 'lab.yaml': `${manifest}products: { 3: { script: a, makes: [b] } }\n` },
      /products\.3: .*leave it out/,
    ],
    [
      'a kind by another name',
      { ...echoLab, 'lab.yaml': manifest.replace('kind:', 'Kind:') },
      /\/lab\.yaml: Kind: .*write one of .*kind/,
    ],
    [
      'an entry with its extension',
      withManifest({ entry: 'service.py' }),
      /\/lab\.yaml: entry: .*without its extension.*write 'entry: service'/,
    ],
    ['a title of two lines', withManifest({ title: '"a\\nb"' }), /\/lab\.yaml: title: .*one line.*write/],
    [
      'a title with a colon',
      withManifest({ title: 'An: echo' }),
      /\/lab\.yaml: .*line 3, column \d+; mend it there, and put quotes/,
    ],
    [
      'a life that is no mapping',
      { ...echoLab, 'lab.yaml': `${manifest}life: keys\n` },
      /\/lab\.yaml: life: .*the table.*write 'life: \{"table"/,
    ],
    [
      'a life without its column',
      { ...echoLab, 'lab.yaml': `${manifest}life: { table: keys }\n` },
      /\/lab\.yaml: life\.key: is missing.*write 'key: id'/,
    ],
    [
      'a state that is a number',
      { ...echoLab, 'lab.yaml': `${manifest}life: { table: a, key: b, state: c, states: [1] }\n` },
      /\/lab\.yaml: life\.states\.0: must be a text.*write '- done'/,
    ],
    [
      'products in a list',
      { ...echoLab, 'lab.yaml': `${manifest}products: [make_log]\n` },
      /\/lab\.yaml: products: must be .*numbers of the steps.*write 'products: \{"1"/,
    ],
    [
      'a script with its extension',
      { ...echoLab, 'lab.yaml': `${manifest}products: { 1: { script: a.py, makes: [b] } }\n` },
      /\/lab\.yaml: products\.1\.script: .*without its extension.*write 'script: make_log'/,
    ],
    [
      'a context in another folder',
      { ...echoLab, 'lab.yaml': `${manifest}context: ../x.ts\n` },
      /\/lab\.yaml: context: .*beside the manifest.*write 'context: context\.ts'/,
    ],
    ['a field twice', { ...echoLab, 'lab.yaml': `${manifest}id: two\n` }, /\/lab\.yaml: .*unique.*line 7/],
    [
      'a list',
      { ...echoLab, 'lab.yaml': '- id: echo-lab' },
      /\/lab\.yaml: has no fields; write schemaVersion, id/,
    ],
    ['an empty file', { ...echoLab, 'lab.yaml': '' }, /\/lab\.yaml: has no fields; write schemaVersion, id/],
    ['a folder', { ...without('lab.yaml'), 'lab.yaml/x': '' }, /\/lab\.yaml: cannot be read \(EISDIR\)/],
    ['no YAML', { ...echoLab, 'lab.yaml': 'id: [' }, /\/lab\.yaml: .*line 1.*mend/],
    ['no fields', { ...echoLab, 'lab.yaml': 'a lab' }, /\/lab\.yaml: .*fields/],
    ['two manifests', { ...echoLab, 'lab.json': '{}' }, /lab\.yaml and lab\.json; keep one/],
    ['no contract file', { 'lab.yaml': manifest }, /contract file; add 01-/],
    ['a gap', without('01-first.contract.ts'), /\/02-second\.contract\.ts: .*name it 01-/],
    [
      'a context that is not there',
      { ...echoLab, 'lab.yaml': `${manifest}context: context.ts\n` },
      /context\.ts; add it/,
    ],
    [
      'a context that makes nothing',
      { ...echoLab, 'lab.yaml': `${manifest}context: context.ts\n`, 'context.ts': 'export const open = 1;' },
      /\/context\.ts: open .*export function open/,
    ],
    [
      'a syntax error',
      { ...echoLab, '02-second.contract.ts': '\nexport default )' },
      /\/02-second\.contract\.ts:2: /,
    ],
    [
      'an import of nothing',
      { ...echoLab, '02-second.contract.ts': "import './nothing.ts';" },
      /02-second\.contract\.ts:1: .*nothing/,
    ],
    [
      'a clause of another step',
      { ...echoLab, '02-second.contract.ts': echo(2, 'text').replace("'2.1", "'1.1") },
      /cannot be loaded: .*1\.1 it says so/,
    ],
    [
      'no step',
      { ...echoLab, '02-second.contract.ts': 'export default 2;' },
      /\/02-second\.contract\.ts: write 'export default step\(2/,
    ],
    [
      'another step',
      { ...echoLab, '02-second.contract.ts': echo(1, 'text') },
      /\/02-second\.contract\.ts: write 'export default step\(2/,
    ],
    [
      'no clause',
      {
        ...echoLab,
        '02-second.contract.ts':
          "import { step } from 'idem-lab-checks/contract';\nexport default step(2, 'x', {});",
      },
      /\/02-second\.contract\.ts: has no clause/,
    ],
  ])('%s', async (_, files, message) => {
    const refused = addLabDirs([workshop.write(files)]);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.not.toThrow('\n');
  });

  test('no folder, one without labs, and an id twice: code 2', async () => {
    const folders = [workshop.write(echoLab), workshop.write(echoLab)].flatMap((dir) => ['--lab-dir', dir]);
    const empty = workshop.write({});
    for (const args of [['--lab-dir', '/no/such'], ['--lab-dir', empty], folders]) {
      const { code, stderr } = await run(['list', ...args]);
      expect([code, stderr.trimEnd().split('\n')]).toStrictEqual([
        2,
        [expect.stringMatching(/^labcheck: .*; ?/)],
      ]);
    }
  });
});

test('a lab of this project would be a legal manifest: there is one way of describing labs', () => {
  const schema = JSON.parse(readFileSync(projectFile('harness/lab.schema.json'), 'utf8'));
  const ajv = new Ajv();
  for (const { id, title, kind, entry, home, budget, products, life } of labs) {
    const data = {
      id,
      title,
      kind,
      entry,
      home,
      budget,
      ...(products && { products }),
      ...(life && { life }),
    };
    const valid = ajv.validate(schema, { schemaVersion: 1, ...data });
    expect([data.id, ajv.errors, valid]).toStrictEqual([data.id, null, true]);
  }
});

describe('labcheck new', () => {
  test.each(['functions', 'scripts'])(
    'lab --kind %s: its types are right, and would not be if they were wrong',
    async (kind) => {
      const parent = await newLab('typed-lab', kind);
      const modules = path.join(parent, 'node_modules');
      mkdirSync(modules);
      symlinkSync(projectFile('.'), path.join(modules, 'idem-lab-checks'));
      for (const name of ['fast-check', '@types'])
        symlinkSync(projectFile(`node_modules/${name}`), path.join(modules, name));
      const tsc = () =>
        spawnSync(
          process.execPath,
          [projectFile('node_modules/typescript/bin/tsc'), '-p', path.join(parent, 'typed-lab')],
          { encoding: 'utf8' },
        );
      expect(tsc()).toMatchObject({ stdout: '', status: 0 });
      const file = path.join(parent, 'typed-lab/01-claim.contract.ts');
      writeFileSync(file, readFileSync(file, 'utf8').replace('claim(granted, key)', 'claim(granted, 1)'));
      expect(tsc().status).not.toBe(0);
    },
  );

  test('never writes over what is there', async () => {
    const parent = await newLab('kept-lab');
    const labDir = ['--lab', 'kept-lab', '--lab-dir', parent];
    const manifest = path.join(parent, 'kept-lab/lab.yaml');
    writeFileSync(manifest, `${readFileSync(manifest, 'utf8')}# mine\n`);
    const mutant = ['--clause', '1.1', '--anchor', 'OR IGNORE ', '--replacement', '', '--why', 'It raises.'];
    const twice = [
      ['new', 'step', 'mine', ...labDir],
      ['new', 'variant', 'mine', ...labDir],
      ['new', 'mutant', 'mine', ...labDir, ...mutant],
    ];
    for (const args of twice) expect((await run(args)).code).toBe(0);
    for (const args of [['new', 'lab', 'kept-lab'], ...twice]) {
      const { code, stdout, stderr } = await runIn(parent, ...args);
      expect([code, stdout, stderr]).toStrictEqual([
        2,
        '',
        expect.stringMatching(/^labcheck: .*choose another name.*\n$/),
      ]);
    }
    expect(readFileSync(manifest, 'utf8')).toMatch(/# mine\n$/);
  });

  test('step: the next number, whose clause fails until the function is there', async () => {
    const parent = await newLab('long-lab');
    const labDir = ['--lab-dir', parent];
    expect((await run(['new', 'step', 'say-it', '--lab', 'long-lab', ...labDir])).code).toBe(0);
    expect(existsSync(path.join(parent, 'long-lab/02-say-it.contract.ts'))).toBe(true);
    const reference = path.join(parent, 'long-lab/reference/service.py');
    const grade = () => reportOf(['long-lab', ...labDir, '--submission', reference, '--step', '2']);
    expect(kindsOf(await grade())).toStrictEqual([['2.1', 'missing']]);
    writeFileSync(reference, `${readFileSync(reference, 'utf8')}\n\ndef say_it(text):\n    return text\n`);
    expect(kindsOf(await grade())).toStrictEqual([['2.1', 'passed']]);
  });

  test('mutant: refuses what could not be put to the test', async () => {
    const parent = await newLab('mutable-lab');
    const edit = { clause: '1.1', anchor: 'OR IGNORE ', replacement: '', why: 'It raises.' };
    for (const [change, message] of [
      [{ clause: '7.1' }, /--clause 7\.1: .*1\.1/],
      [{ anchor: 'nowhere' }, /--anchor: anchor gone: nowhere/],
      [{ anchor: 'claims' }, /--anchor: anchor twice: claims/],
      [{ replacement: 'OR IGNORE ' }, /--anchor: nothing changes/],
      [{ why: 'no sentence' }, /why/],
      [{ file: 'other.py' }, /--file other\.py: /],
      [{ language: 'typescript' }, /typescript/],
    ] as const) {
      const flags = Object.entries({ ...edit, ...change }).flatMap(([name, value]) => [`--${name}`, value]);
      const args = ['new', 'mutant', 'mine', '--lab', 'mutable-lab', '--lab-dir', parent, ...flags];
      const { code, stdout, stderr } = await run(args);
      expect([code, stdout, stderr]).toStrictEqual([2, '', expect.stringMatching(message)]);
    }
    expect(existsSync(path.join(parent, 'mutable-lab/mutants/mine.yaml'))).toBe(false);
  });

  test('lays a step and a variant out for a lab of this project, in a checkout', async () => {
    const checkout = path.join(workshop.folder, 'checkout');
    for (const part of ['checks', 'reference', 'mutants', 'harness', 'package.json'])
      cpSync(projectFile(part), path.join(checkout, part), { recursive: true });
    cpSync(projectFile('dist'), path.join(checkout, 'dist'), { recursive: true });
    symlinkSync(projectFile('node_modules'), path.join(checkout, 'node_modules'));
    const labcheck = (...args: string[]) =>
      execFileSync(process.execPath, ['dist/cli.js', ...args], { cwd: checkout, encoding: 'utf8' });
    const lab = 'idem-retention-lab';
    expect(labcheck('new', 'step', 'undo', '--lab', lab).split('\n')).toStrictEqual([
      `checks/${lab}/09-undo.contract.ts`,
      `checks/${lab}/09-contract.sh`,
      expect.stringContaining(`checks/${lab}/lab.ts`),
      '',
    ]);
    expect(labcheck('new', 'variant', 'mine', '--lab', lab)).toBe(
      `reference/${lab}/variants/mine/service.py\n`,
    );
    const file = path.join(checkout, 'checks', lab, '09-undo.contract.ts');
    const { default: step } = await import(file);
    expect([step.number, step.clauses.length]).toStrictEqual([9, 1]);
    renameSync(path.join(checkout, 'checks', lab, 'lab.ts'), path.join(checkout, 'lab.ts')); // as it is installed
    expect(() => labcheck('new', 'variant', 'other', '--lab', lab)).toThrow(/checkout/);
  });
});

describe('validate', () => {
  let parent: string;
  beforeAll(async () => {
    parent = await newLab('proved-lab');
  });
  const small = ['--origin', 'field', '--threads', '2'];

  test('takes nothing from a journal that another state of the lab has made', async () => {
    const journal = path.join(parent, 'journal.jsonl');
    const args = ['validate', 'proved-lab', '--lab-dir', parent, ...small, '--resume', journal];
    expect((await run(args)).code).toBe(0);
    const file = path.join(parent, 'proved-lab/01-claim.contract.ts');
    // Of one key only, which nobody asks for twice: a mutant that grants it to all goes unnoticed.
    writeFileSync(file, readFileSync(file, 'utf8').replace('maxLength: 5', 'maxLength: 1'));
    const { code, stdout } = await run(args);
    expect([code, stdout]).toStrictEqual([
      1,
      expect.stringMatching(/^✗ granted-to-all \(python\): survived/m),
    ]);
  });

  test('says which reference is missing', async () => {
    const args = ['validate', 'proved-lab', '--lab-dir', parent, ...small];
    expect(await run([...args, '--language', 'typescript'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/typescript/),
    });
    rmSync(path.join(parent, 'proved-lab/reference'), { recursive: true });
    expect(await run(args)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/reference.*service\.py/),
    });
  });
});
