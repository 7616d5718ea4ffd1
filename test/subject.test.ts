import { execFileSync } from 'node:child_process';
import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { dict, isDict, isList, Opaque, Tuple, type Value } from '../harness/value.ts';
import { Case, fieldsOf, groupMembers, processesWith, procFile, python3, Workshop } from './submissions.ts';

const workshop = new Workshop();
afterEach(() => workshop.close());
afterAll(() => workshop.remove());

/** Milliseconds for a call that never returns. */
const short = 300;

// ---- values

/** Any UTF-16 units, lone surrogates among them. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('__proto__', 'constructor', '\u{1F600}', '\ud800', '\udc00x', '\u0000', '\u2028'),
  fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)),
);

const scalars: fc.Arbitrary<Value>[] = [
  fc.constant(null),
  fc.boolean(),
  fc.bigInt({ min: -(2n ** 64n) + 1n, max: 2n ** 64n - 1n }),
  fc.constantFrom(2n ** 53n, 2n ** 53n + 1n, 2n ** 53n - 1n, -(2n ** 53n) - 1n, 2n ** 63n, 0n, 1n),
  fc.double(),
  fc.constantFrom(1, 0, -0, 5e-324, 1.7976931348623157e308, 1e21, 1e-7, 2 ** 53, Infinity, -Infinity, NaN),
  anyText,
];

const values = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    ...scalars,
    fc.array(tie('value')),
    fc.array(tie('value')).map((items) => new Tuple(items)),
    fc.array(fc.tuple(anyText, tie('value'))).map((pairs) => new Map<Value, Value>(pairs)),
  ),
})).value;

/** The types in a value, as the Python function of that name below spells them. */
function types(value: Value): string {
  if (value === null) return 'NoneType';
  if (isList(value)) return `list(${value.map(types).join()})`;
  if (value instanceof Tuple) return `tuple(${value.items.map(types).join()})`;
  if (isDict(value)) return `dict(${[...value.values()].map(types).join()})`;
  return { boolean: 'bool', bigint: 'int', number: 'float', string: 'str' }[typeof value as 'string'];
}

const echo = `
def echo(value):
    return [value, types(value)]

def types(value):
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else None
    return type(value).__name__ + ('' if inner is None else '(' + ','.join(map(types, inner)) + ')')
`;

describe('values of a Python submission', () => {
  test('come back as they went, with the types that Python saw', async () => {
    const subject = workshop.python(echo);
    const property = fc.asyncProperty(values, async (value) => {
      expect(await subject.value('echo', [value])).toStrictEqual([value, types(value)]);
    });
    await fc.assert(property, { numRuns: 500 });
  });

  test('are told by their base types, whatever their classes override', async () => {
    const subject = workshop.python(`
import collections, enum, decimal
Point = collections.namedtuple('Point', 'x y')
Level = enum.IntEnum('Level', 'LOW HIGH')
class Text(str):
    def __str__(self): return 'other'
    def __len__(self): raise ValueError
class Number(int):
    def __int__(self): return 99
    def __repr__(self): return '99'
class Items(list):
    def __iter__(self): return iter([1, 2, 3])
class Liar(dict):
    def items(self): return [('no', 'no')]
class Flag(int):
    def __eq__(self, other): return True
def all():
    return [collections.OrderedDict(a=1), collections.Counter('aab'), collections.defaultdict(list, b=[]),
            Point(1, 2.0), Level.HIGH, Text('text'), Number(7), Items(['x']), Liar(yes='yes'), Flag(0)]
def keys():
    return {1: 'int', '1': 'str', None: 'None', (1,): 'tuple', 2.5: 'float', '__proto__': True}
`);
    expect(await subject.value('all')).toStrictEqual([
      dict({ a: 1n }),
      dict({ a: 2n, b: 1n }),
      dict({ b: [] }),
      new Tuple([1n, 2]),
      2n,
      'text',
      7n,
      ['x'],
      dict({ yes: 'yes' }),
      0n,
    ]);
    expect(await subject.value('keys')).toStrictEqual(
      new Map<Value, Value>([
        [1n, 'int'],
        ['1', 'str'],
        [null, 'None'],
        [new Tuple([1n]), 'tuple'],
        [2.5, 'float'],
        ['__proto__', true],
      ]),
    );
  });

  test('of no type that a contract knows are opaque, and shown on one line', async () => {
    const subject = workshop.python(`
import decimal
class Mute:
    def __repr__(self): raise KeyError
class Quitter:
    def __repr__(self): raise SystemExit
class Painter:
    def __repr__(self): return '\\x1b[31m\\n' + 'x' * 10**6
def all(): return [b'\\0', {1}, 2**64, decimal.Decimal('1.0'), range(3), 1j, Mute(), Quitter()]
def painter(): return Painter()
`);
    expect(await subject.value('all')).toStrictEqual([
      new Opaque('bytes', "b'\\x00'"),
      new Opaque('set', '{1}'),
      new Opaque('int', '0x10000000000000000'),
      new Opaque('decimal.Decimal', "Decimal('1.0')"),
      new Opaque('range', 'range(0, 3)'),
      new Opaque('complex', '1j'),
      new Opaque('service.Mute', ''),
      new Opaque('service.Quitter', ''),
    ]);
    const { text } = (await subject.value('painter')) as Opaque;
    expect(text).toMatch(/^\\u001b\[31m\\nx+$/);
    expect(text.length).toBeLessThan(600);
  });

  test.each([
    ['a str of 100 MB', "'x' * 10**8"],
    ['bytes of 10 MB', 'bytes(10**7)'],
    ['a list of two million items', '[None] * (2 * 10**6)'],
    ['a list of strs of 2 MB in all', "['x' * 1000] * 2000"],
    ['a list of 101 levels', 'nested(101)'],
    ['a list of 100,000 levels', 'nested(10**5)'],
    ['a list in itself', 'cyclic()'],
    ['a dict in itself', 'own()'],
    ['an int of a million digits', '1 << 10**6'],
  ])('that are too much, as %s, are opaque', async (_, expression) => {
    const subject = workshop.python(`
def nested(depth):
    value = []
    for _ in range(depth - 1): value = [value]
    return value
def cyclic():
    value = []
    value.append(value)
    return value
def own():
    value = {}
    value['own'] = value
    return value
def big(): return ${expression}
`);
    expect(await subject.value('big')).toBeInstanceOf(Opaque);
    expect(await subject.value('nested', [100n])).not.toBeInstanceOf(Opaque);
  });
});

// ---- calls that end badly

/** Functions of a submission, each with the way in which a call of it ends. */
const pythonCalls: Readonly<Record<string, readonly [ending: string, body: string]>> = {
  leaves_by_sys_exit: ['raised SystemExit', 'sys.exit()'],
  leaves_by_os_exit: ['crash', 'os._exit(0)'],
  leaves_by_os_exit_3: ['crash', 'os._exit(3)'],
  aborts: ['crash', 'os.abort()'],
  kills_itself: ['crash', 'os.kill(os.getpid(), 9)'],
  kills_its_group: ['crash', 'os.killpg(0, 9)'],
  terminates_its_group: ['crash', 'os.killpg(0, 15)'],
  kills_its_parent: ['crash', 'os.kill(os.getppid(), 9)\n    time.sleep(60)'],
  interrupts_its_parent: ['crash', 'os.kill(os.getppid(), 2)\n    time.sleep(60)'],
  stops_itself: ['timeout', 'os.kill(os.getpid(), 19)'],
  faults: ['crash', 'ctypes.string_at(0)'],
  recurses: ['raised RecursionError', 'recurses()'],
  recurses_through_the_stack: [
    'crash',
    'sys.setrecursionlimit(10**8)\n    threading.stack_size()\n    value = []\n    for _ in range(10**5): value = [value]\n    repr(value)',
  ],
  loops: ['timeout', 'while True: pass'],
  loops_whatever_comes: [
    'timeout',
    'while True:\n        try:\n            while True: pass\n        except BaseException: pass',
  ],
  sleeps: ['timeout', 'time.sleep(60)'],
  takes_all_memory: ['raised MemoryError', "return len('x' * (8 << 30))"],
  fills_the_disk: ['raised OSError', "open('big', 'wb').write(bytes(300 << 20))"],
  prints: ['returned', "for n in range(5000): print('line', n); print('line', n, file=sys.stderr)"],
  writes_to_1_and_2: ['returned', "for n in range(5000): os.write(1, b'line\\n'); os.write(2, b'line\\n')"],
  reads_stdin: ['raised EOFError', 'input()'],
  writes_everywhere: ['crash', 'each_descriptor(lambda fd: os.write(fd, b"garbage, " * 100))'],
  writes_zeros_everywhere: ['crash', 'each_descriptor(lambda fd: os.write(fd, bytes(4)))'],
  writes_a_number_everywhere: ['crash', 'each_descriptor(lambda fd: os.write(fd, b"\\0\\0\\0\\1" + b"5"))'],
  writes_a_deep_list_everywhere: [
    'crash',
    `body = b'["returned",' + b'[' * 50000 + b']' * 50000 + b']'
    each_descriptor(lambda fd: os.write(fd, len(body).to_bytes(4, 'big') + body))`,
  ],
  closes_everything: ['crash', 'os.closerange(3, 21)'],
  closes_stdout: ['returned', 'sys.stdout.close()'],
  changes_directory: ['returned', "os.chdir('/')"],
  returns_a_looping_repr: ['timeout', 'return Looping()'],
  returns_an_exiting_repr: ['crash', 'return Exiting()'],
  raises_without_str: ['raised service.Mute', 'raise Mute()'],
  raises_of_no_module: ['raised None.E', "raise type('E', (Exception,), {'__module__': None})()"],
  raises_false: ['raised service.Falsy', 'raise Falsy()'],
  raises_a_cycle: [
    'raised ValueError',
    'a, b = ValueError(), KeyError()\n    a.__cause__, b.__cause__ = b, a\n    raise a',
  ],
  replaces_json: ['returned', "json.dumps = json.loads = lambda *a, **k: 'x'"],
  replaces_os: ['returned', 'os.write = os.read = os._exit = os.getpid = lambda *a: 0'],
  leaves_a_thread: ['returned', 'threading.Thread(target=time.sleep, args=[60]).start()'],
  leaves_a_busy_thread: ['returned', 'threading.Thread(target=loops).start()'],
  forks: ['returned', 'os.fork()'],
  forks_and_exits: ['returned', 'if os.fork() == 0: sys.exit(1)'],
  forks_and_lives_on: ['returned', 'if os.fork() == 0: os.setsid(); time.sleep(5); os._exit(0)'],
  runs_a_pool: [
    'returned',
    'with multiprocessing.get_context("fork").Pool(2) as pool: pool.map(abs, [1, -1])',
  ],
  limits_recursion: ['returned', 'sys.setrecursionlimit(60)'],
  sets_an_alarm: ['crash', 'signal.setitimer(signal.ITIMER_REAL, 0.1)\n    time.sleep(60)'],
};

const pythonFunctions = `
import ctypes, json, multiprocessing, os, signal, sys, threading, time

class Mute(Exception):
    def __str__(self): raise KeyError

class Falsy(Exception):
    def __bool__(self): raise KeyError

class Looping:
    def __repr__(self):
        while True: pass

class Exiting:
    def __repr__(self): os._exit(0)

def each_descriptor(act):
    for fd in range(3, 21):
        try: act(fd)
        except OSError: pass

def one(): return 1

${Object.entries(pythonCalls)
  .map(([name, [, body]]) => `def ${name}():\n    ${body}\n`)
  .join('\n')}`;

describe('a call of a Python function', () => {
  test.each(
    Object.entries(pythonCalls).map(([name, [ending]]) => [name.replaceAll('_', ' '), ending, name] as const),
  )('that %s ends: %s', async (_, ending, name) => {
    const subject = workshop.python(pythonFunctions);
    expect(await subject.ending(name, ending === 'timeout' ? short : undefined)).toBe(ending);
    expect(await subject.begin().value('one')).toBe(1n);
    expect(await subject.begin(true).value('one')).toBe(1n);
  });

  test('that timed out did so within its limit', async () => {
    const subject = workshop.python(pythonFunctions);
    await subject.value('one');
    const started = performance.now();
    expect(await subject.begin().ending('loops', short)).toBe('timeout');
    expect(performance.now() - started).toBeLessThan(short + 1500);
  });
});

// ---- modules

/** A module that says which one it is. */
const named = (name: string) => `name = '${name}'\n`;

describe('a Python submission', () => {
  test.each([
    ['crash', 'os._exit(0)', /code 0/],
    ['timeout', 'while True: pass', /no answer/],
    ['load', 'sys.exit()', /SystemExit/],
    ['load', 'def broken(:', /^service\.py:3: SyntaxError/],
    ['load', "raise ValueError('\\n\\x1b[2J')", /^service\.py:3: ValueError: \\n\\u001b\[2J$/],
    ['load', 'import sibling_that_is_not_there', /^service\.py:3: ModuleNotFoundError/],
    ['load', 'import broken', /^broken\.py:2: SyntaxError/],
    ['load', 'import failing', /^failing\.py:2: ZeroDivisionError/],
  ])('that cannot be loaded is a failure of the kind %s: %s', async (kind, statement, detail) => {
    const subject = workshop.python(`import os, sys\n\n${statement}\ndef one(): return 1\n`, {
      'broken.py': 'x = 1\ny = )\n',
      'failing.py': 'x = 1\ny = 1 / 0\n',
    });
    for (const alone of [false, true]) {
      const failure = await subject.begin(alone).failure('one', kind === 'timeout' ? short : undefined);
      expect(failure).toMatchObject({ kind, detail: expect.stringMatching(detail) });
    }
  });

  test('without the function is a failure of the kind missing', async () => {
    const subject = workshop.python('one = 1\nclass Two: pass\n');
    expect(await subject.failure('one')).toMatchObject({
      kind: 'missing',
      detail: 'there is no function one',
    });
    expect(await subject.ending('two')).toBe('missing');
    expect(await subject.ending('__name__')).toBe('missing');
  });

  test('may print while it is loaded, and is not the main program', async () => {
    const subject = workshop.python(`
import sys
for n in range(5000): print('["returned", 2]')
def main(): return [__name__, __file__.endswith('/service.py'), sys.modules[__name__].main is main, len(sys.argv)]
if __name__ == '__main__': raise SystemExit('run as a program')
`);
    expect(await subject.value('main')).toStrictEqual(['service', true, true, 1n]);
  });

  test('has modules and packages beside it, which go before those of the library', async () => {
    const subject = workshop.python(
      `
import calendar, datetime, enum, helper, package.inner, plain.inner
from package import inner
from plain.inner import name
from package.sub import deep
def names():
    import late
    return [helper.name, package.name, inner.name, name, deep.name, late.name, calendar.name, enum.IntEnum.__name__]
`,
      {
        'helper.py': named('helper'),
        'package/__init__.py': named('package'),
        'package/inner.py': named('package.inner'),
        'package/sub/__init__.py': 'from .. import inner\nfrom . import deep\n',
        'package/sub/deep.py': named('package.sub.deep'),
        'plain/inner.py': named('plain.inner'),
        'late.py': named('late'),
        'calendar.py': named('calendar'),
      },
    );
    const names = [
      'helper',
      'package',
      'package.inner',
      'plain.inner',
      'package.sub.deep',
      'late',
      'calendar',
      'IntEnum',
    ];
    for (const alone of [false, false, true])
      expect(await subject.begin(alone).value('names')).toStrictEqual(names);
  });

  test('may have a file named as a module that the host itself has loaded', async () => {
    const subject = workshop.python('import struct\ndef name(): return struct.name\n', {
      'struct.py': named('own struct'),
    });
    expect(await subject.value('name')).toBe('own struct');
    expect(await subject.begin().value('name')).toBe('own struct');
  });

  test('is run as it is now, whatever bytecode lies beside it', async () => {
    const source = (name: string) => `import helper\ndef names(): return ['${name}', helper.name]\n`;
    const folder = workshop.write({ 'service.py': source('old'), 'helper.py': named('old') });
    execFileSync(python3, ['-m', 'compileall', '-q', folder]);
    for (const [file, text] of [
      ['service.py', source('new')],
      ['helper.py', named('new')],
    ] as const) {
      const place = path.join(folder, file);
      const { atime, mtime } = statSync(place);
      writeFileSync(place, text);
      utimesSync(place, atime, mtime);
    }
    const stale = execFileSync(python3, ['-c', 'import service; print(service.names())'], { cwd: folder });
    expect(String(stale)).toBe("['old', 'old']\n");
    expect(await workshop.open(folder).value('names')).toStrictEqual(['new', 'new']);
  });

  test('works in its own folder, where it finds what lies there, and leaves no cache', async () => {
    const folder = workshop.write({
      'service.py':
        "import helper, tempfile\ndef one(): return [open('note.txt').read(), tempfile.mkstemp()[1]]\n",
      'helper.py': '',
      'note.txt': 'here',
    });
    const [note, made] = (await workshop.open(folder).value('one')) as [string, string];
    expect([note, made.startsWith(folder)]).toStrictEqual(['here', false]);
    expect(readdirSync(folder).sort()).toStrictEqual(['helper.py', 'note.txt', 'service.py']);
  });

  const counter = `
import os, sys, helper, plain.state
from plain import state
count = 0
def add():
    global count
    count += 1
    helper.count += 1
    state.count += 1
    return [count, helper.count, state.count]
def pid(): return os.getpid()
def group(): return os.getpgrp()
def loops():
    while True: pass
`;
  const counterFiles = { 'helper.py': 'count = 0\n', 'plain/state.py': 'count = 0\n' };

  test('is loaded anew for each case, in each of its two processes', async () => {
    const subject = workshop.python(counter, counterFiles);
    for (const alone of [false, false, true, false]) {
      subject.begin(alone);
      expect(await subject.value('add')).toStrictEqual([1n, 1n, 1n]);
      expect(await subject.value('add')).toStrictEqual([2n, 2n, 2n]);
      expect(await subject.value('add', [], 1)).toStrictEqual([1n, 1n, 1n]);
    }
    const [first, second] = [await subject.value('pid'), await subject.value('pid', [], 1)];
    expect(first).not.toBe(second);
    expect(await subject.begin().value('pid')).toBe(first);
    expect(await subject.begin(true).value('pid')).not.toBe(first);
    expect(await subject.value('pid', [], 1)).not.toBe(second);
  });

  test('serves several cases at once, each with modules of its own', async () => {
    const late = 'def late():\n    import helper\n    return helper.count\n';
    const first = workshop.python(counter + late, counterFiles);
    const second = new Case(first.subject);
    expect(await first.value('add')).toStrictEqual([1n, 1n, 1n]);
    expect(await second.value('add')).toStrictEqual([1n, 1n, 1n]);
    expect(await first.value('add')).toStrictEqual([2n, 2n, 2n]);
    expect([await first.value('late'), await second.value('late')]).toStrictEqual([2n, 1n]);
    expect(await first.value('pid')).toBe(await second.value('pid'));
    expect(await first.begin().value('late')).toBe(0n);
    expect(await second.value('add')).toStrictEqual([2n, 2n, 2n]);
  });

  test('leaves no process behind, whatever the calls are at', async () => {
    const subject = workshop.python(counter, counterFiles);
    const group = Number(await subject.value('group'));
    expect(await subject.value('group', [], 1)).toBe(BigInt(group));
    expect(groupMembers(group)).toHaveLength(3);
    const call = subject.ending('loops');
    await subject.subject.close();
    expect(await call).toBe('inconclusive');
    expect(groupMembers(group)).toStrictEqual([]);
  });

  test('has what it left running ended between clauses', async () => {
    const subject = workshop.python(`
import os, time
def leave():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0: time.sleep(600)
        os._exit(0)
    os.wait()
def pid(): return os.getpid()
`);
    const host = async () => fieldsOf(procFile(Number(await subject.value('pid')), 'stat'))[1];
    await subject.value('leave');
    const before = await host();
    await subject.subject.tidy();
    expect(processesWith('stat', (stat) => fieldsOf(stat)[1] === before)).toEqual([]);
    subject.begin();
    await subject.value('pid');
    const anew = await host();
    await subject.subject.tidy();
    expect(await host()).toBe(anew);
  });

  test('is not judged by what a case before left under way', async () => {
    const subject = workshop.python(counter, counterFiles);
    const abandoned = subject.ending('loops', short);
    expect(await subject.begin(true).value('add')).toStrictEqual([1n, 1n, 1n]);
    expect(await abandoned).toBe('timeout');
  });
});
