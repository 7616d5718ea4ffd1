import { realpathSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { dict, Opaque, type Value } from '../harness/value.ts';
import { type Case, groupMembers, Workshop } from './submissions.ts';

const workshop = new Workshop();
afterEach(() => workshop.close());
afterAll(() => workshop.remove());

/** Milliseconds for a call that never returns. */
const short = 700;

/** A submission in TypeScript. */
function typeScript(source: string): Case {
  return workshop.open(workshop.write({ 'service.ts': source }));
}

describe('values of a JavaScript submission', () => {
  test('come back as they went, with one type of number', async () => {
    const subject = typeScript('export const echo = (value: unknown) => value;');
    const value: Value = [
      null,
      true,
      1n,
      0.1,
      2n ** 53n - 1n,
      2 ** 53,
      5e-324,
      1.7976931348623157e308,
      Number.POSITIVE_INFINITY,
      Number.NaN,
      'é\u{1F600}\ud800\0',
      dict({ a: [1n, 'x'], constructor: null }),
      new Map<Value, Value>([['__proto__', dict({ '': false })]]),
    ];
    expect(await subject.value('echo', [value])).toStrictEqual(value);
    expect(await subject.value('echo', [[1, -0, 2n ** 60n]])).toStrictEqual([1n, 0n, 2 ** 60]);
  });

  test('undefined is None, and what is no plain object is opaque', async () => {
    const subject = typeScript(`
class Own { toString(): string { throw new Error(); } }
const cyclic: unknown[] = [];
cyclic.push(cyclic);
export const nothing = () => {};
export const others = () => [undefined, 2n ** 60n, 1n << 70n, new Date(NaN), new Map(), () => 1, Symbol('s'), new Own(),
  Object.assign(Object.create(null), { a: 1 }), [, 1], NaN];
export const whole: Record<string, unknown> = {};
export const cycle = () => cyclic;
export const long = () => 'x'.repeat(1e8);
export const many = () => Array(2e6).fill(null);
export const trap = () => ({ get a() { throw new Error(); } });
`);
    expect(await subject.value('nothing')).toBeNull();
    expect(await subject.value('others')).toStrictEqual([
      null,
      2 ** 60,
      new Opaque('bigint', ''),
      new Opaque('Date', 'Invalid Date'),
      new Opaque('Map', '[object Map]'),
      new Opaque('Function', '() => 1'),
      new Opaque('Symbol', 'Symbol(s)'),
      new Opaque('Own', ''),
      dict({ a: 1n }),
      [null, 1n],
      Number.NaN,
    ]);
    for (const name of ['cycle', 'long', 'many', 'trap'])
      expect(await subject.value(name)).toBeInstanceOf(Opaque);
  });
});

const calls: Readonly<Record<string, readonly [ending: string, body: string]>> = {
  exits: ['crash', 'process.exit(0);'],
  exitsLater: ['crash', 'setImmediate(() => process.exit(3)); return new Promise(() => {});'],
  aborts: ['crash', 'process.abort();'],
  killsItsGroup: ['crash', "process.kill(0, 'SIGKILL'); for (;;);"],
  loops: ['timeout', 'for (;;);'],
  neverResolves: ['timeout', 'return new Promise(() => {});'],
  recurses: ['raised RangeError', 'return recurses();'],
  throwsNull: ['raised object', 'throw null;'],
  throwsUndefined: ['raised undefined', 'throw undefined;'],
  throwsText: ['raised String', "throw 'text';"],
  throwsBare: ['raised object', 'throw Object.create(null);'],
  throwsTrap: ['raised object', 'throw { get name() { throw 1; }, get code() { throw 2; } };'],
  throwsOwn: ['raised LimitError', "throw Object.assign(new RangeError(), { name: 'LimitError' });"],
  rejects: ['raised TypeError', 'return Promise.reject(new TypeError());'],
  rejectsUnseen: ['crash', 'Promise.reject(new Error()); return new Promise(() => {});'],
  throwsLater: ['crash', 'setImmediate(() => { throw 1; }); return new Promise(() => {});'],
  prints: ['returned', "for (let n = 0; n < 5000; n++) { console.log('line'); console.error('line'); }"],
  writesEverywhere: ['crash', "eachDescriptor((fd) => writeSync(fd, 'garbage, '.repeat(100)));"],
  changesDirectory: ['returned', "process.chdir('/');"],
  leavesATimer: ['returned', 'setInterval(() => {}, 10);'],
  replacesJson: ['returned', "JSON.stringify = () => 'x'; JSON.parse = () => 0;"],
};

const functions = `
import { writeSync } from 'node:fs';
function eachDescriptor(act: (fd: number) => void): void {
  for (let fd = 3; fd <= 20; fd++) { try { act(fd); } catch {} }
}
export function one(): number { return 1; }
export async function later(): Promise<number> { return Promise.resolve(2); }
${Object.entries(calls)
  .map(([name, [, body]]) => `export function ${name}(): unknown { ${body} }`)
  .join('\n')}`;

describe('a call of a JavaScript function', () => {
  test.each(Object.entries(calls).map(([name, [ending]]) => [name, ending] as const))(
    'that %s ends: %s',
    async (name, ending) => {
      const subject = typeScript(functions);
      expect(await subject.value('one')).toBe(1n);
      expect(await subject.ending(name, ending === 'timeout' ? short : undefined)).toBe(ending);
      expect(await subject.begin().value('later')).toBe(2n);
      expect(await subject.begin(true).value('one')).toBe(1n);
    },
  );
});

describe('a JavaScript submission', () => {
  test.each([
    ['service.ts', 'export function initDb(path: string): string { return path; }\n'],
    ['service.mts', 'export const initDb = async (path: string): Promise<string> => path;\n'],
    ['service.mjs', 'export const initDb = (path) => path;\n'],
    ['service.js', 'export default { initDb(path) { return this.kept(path); }, kept: (path) => path };\n'],
    ['service.js', 'exports.initDb = (path) => path;\n'],
    ['service.js', "module.exports = { initDb: require('./sibling').same };\n"],
  ])('may be %s: %s', async (name, source) => {
    const sibling = 'exports.same = (path) => path;\n';
    const subject = workshop.open(workshop.write({ [name]: source, 'sibling.js': sibling }));
    for (const alone of [false, false, true])
      expect(await subject.begin(alone).value('init_db', ['p'])).toBe('p');
    expect((await subject.failure('retention_cycle')).detail).toBe('there is no function retentionCycle');
  });

  test.each([
    ['load', 'export const two = (;', /^service\.ts:2: /],
    ['load', "import './absent.ts';", /^service\.ts:2: Could not resolve/],
    ['load', "import './broken.ts';", /^broken\.ts:1: /],
    ['load', "throw new TypeError('no');", /^service\.ts:2: TypeError: no$/],
    ['load', "import './failing.ts';", /^failing\.ts:3: RangeError: \\u001b\[2J$/],
    ['load', "import 'no-such-package';", /ERR_MODULE_NOT_FOUND|Cannot find package/],
    ['crash', 'process.exit(0);', /code 0/],
    ['timeout', 'for (;;);', /no answer/],
  ])('that cannot be loaded is a failure of the kind %s: %s', async (kind, statement, detail) => {
    const source = `export const one = (): number => 1;\n${statement}\n`;
    const subject = workshop.open(
      workshop.write({
        'service.ts': source,
        'broken.ts': 'export const x = ;\n',
        'failing.ts': "const text: string = '\\x1b[2J';\n\nthrow new RangeError(text);\n",
      }),
    );
    for (const alone of [false, true]) {
      const failure = await subject.begin(alone).failure('one', kind === 'timeout' ? short : undefined);
      expect(failure).toMatchObject({ kind, detail: expect.stringMatching(detail) });
    }
  });

  test('tells where it threw by its own files, and an error of the driver as such', async () => {
    const subject = workshop.open(
      workshop.write({
        'service.ts': `
import Database from 'better-sqlite3';
import { fails } from './lib/sibling.ts';
export const query = () => new Database(':memory:').exec('nonsense');
export const sibling = () => { try { fails(); } catch (cause) { throw new Error('outer', { cause }); } };
`,
        'lib/sibling.ts': 'export function fails(): never {\n  throw new TypeError("inner");\n}\n',
      }),
    );
    const query = await subject.outcome('query');
    expect(query).toMatchObject({ status: 'raised', chain: [{ type: 'SqliteError', at: 'service.ts:4' }] });
    expect(await subject.outcome('sibling')).toMatchObject({
      chain: [
        { type: 'Error', message: 'outer', at: 'service.ts:5' },
        { type: 'TypeError', message: 'inner', at: 'sibling.ts:2' },
      ],
    });
  });

  const counter = `
import { next } from './sibling.ts';
import { fileURLToPath } from 'node:url';
let count = 0;
export const add = () => [++count, next()];
export const pid = () => process.pid;
export const place = () => fileURLToPath(import.meta.url);
export const loops = () => { for (;;); };
`;
  const files = {
    'service.ts': counter,
    'sibling.ts': 'let count = 0;\nexport const next = (): number => ++count;\n',
  };

  test('is loaded anew for each case, in each of its two processes', async () => {
    const folder = workshop.write(files);
    const subject = workshop.open(folder);
    for (const alone of [false, false, true]) {
      subject.begin(alone);
      expect(await subject.value('add')).toStrictEqual([1n, 1n]);
      expect(await subject.value('add')).toStrictEqual([2n, 2n]);
      expect(await subject.value('add', [], 1)).toStrictEqual([1n, 1n]);
    }
    const [first, second] = [await subject.value('pid'), await subject.value('pid', [], 1)];
    expect(first).not.toBe(second);
    expect(await subject.begin().value('pid')).toBe(first);
    expect(await subject.begin(true).value('pid')).not.toBe(first);
    expect(realpathSync(String(await subject.value('place')))).toBe(realpathSync(`${folder}/service.ts`));
  });

  test('leaves no process behind, whatever the calls are at', async () => {
    const subject = workshop.open(workshop.write(files));
    const group = Number(await subject.value('pid'));
    expect(groupMembers(group)).toStrictEqual([group]);
    const call = subject.ending('loops');
    await subject.subject.close();
    expect(await call).toBe('inconclusive');
    expect(groupMembers(group)).toStrictEqual([]);
  });
});
