import { execFileSync } from 'node:child_process';
import vm from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Anything, JsonOf, OneOf, Refusal, seen, Through, Thrown } from '../harness/expectation.ts';
import { fromJson, toJson } from '../harness/json.ts';
import { functionName, literal } from '../harness/literal.ts';
import { projectFile } from '../harness/project.ts';
import type { Raised } from '../harness/subject/subject.ts';
import { encode } from '../harness/subject/wire.ts';
import {
  dict,
  isDict,
  isList,
  Opaque,
  same,
  Tuple,
  type Value,
  withOneNumberType,
} from '../harness/value.ts';
import { python3 } from './submissions.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    '',
    "it's",
    '"',
    '\\',
    '\\n',
    '\n\r\t\0',
    '\x7f\x85\xa0',
    'é',
    'e\u0301',
    '\u2028',
    '\u{1F600}',
  ),
  fc.constantFrom('__proto__', 'constructor', 'toString', '0', 'NaN', '{}', '%s'),
);
const int = fc.oneof(fc.bigInt(-3n, 3n), fc.bigInt(-(2n ** 70n), 2n ** 70n), fc.constant(2n ** 53n + 1n));
/** -0.0 has a test of its own below. */
const float = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value)),
  fc.constantFrom(
    1,
    -1,
    0,
    0.1,
    5e-324,
    1.7976931348623157e308,
    1e16,
    1e21,
    1e22,
    1e-7,
    123456789012345680000,
  ),
);
const scalar = fc.oneof(fc.constant(null), fc.boolean(), int, float, text);
const shape = { maxDepth: 3, depthSize: 'small' } as const;

const jsonValue = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    shape,
    scalar,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.array(fc.tuple(text, tie('value')), { maxLength: 5 }).map((pairs) => new Map<Value, Value>(pairs)),
  ),
})).value;

/** JSON's values, tuples, and dicts by any scalar but floats, which Python takes for the int of their value. */
const pythonValue = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    shape,
    scalar,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => new Tuple(items)),
    fc
      .array(fc.tuple(fc.oneof(text, fc.bigInt(2n, 9n)), tie('value')), { maxLength: 5 })
      .map((pairs) => new Map<Value, Value>(pairs)),
  ),
})).value;

/** The same values in every run. */
const sample = (arbitrary: fc.Arbitrary<Value>) => fc.sample(arbitrary, { numRuns: 400, seed: 1 });

/** What a Python program makes of a list of JSON texts, as many as went in. */
function askPython(program: string, inputs: readonly unknown[]): string[] {
  const source = `
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location('host', sys.argv[1])
host = importlib.util.module_from_spec(spec)
spec.loader.exec_module(host)

def alike(a, b):
    if type(a) is not type(b): return False
    if isinstance(a, dict): return a.keys() == b.keys() and all(alike(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)): return len(a) == len(b) and all(map(alike, a, b))
    return repr(a) == repr(b)

def answer(given):
${program.replace(/^/gm, '    ')}

print(json.dumps([answer(given) for given in json.load(sys.stdin)]))
`;
  const options = { input: JSON.stringify(inputs), maxBuffer: 1 << 26 };
  const host = projectFile('harness/subject/host.py');
  return JSON.parse(String(execFileSync(python3, ['-X', 'utf8', '-c', source, host], options)));
}

// ---- sameness

describe('two values are the same', () => {
  test('when nothing sets them apart, in whatever order a dict has its members', () => {
    fc.assert(
      fc.property(pythonValue, (value) => {
        const again = isDict(value) ? new Map([...value].reverse()) : value;
        return same(structuredCopy(value), again);
      }),
    );
  });

  const apart: readonly Value[] = [
    null,
    true,
    false,
    1n,
    1,
    0n,
    0,
    '1',
    '',
    [],
    [1n],
    [1],
    [true],
    [1n, 2n],
    [2n, 1n],
    [null],
    new Tuple([]),
    new Tuple([1n]),
    dict({}),
    dict({ a: 1n }),
    dict({ a: 1 }),
    dict({ b: 1n }),
    dict({ a: null }),
    dict({ a: 1n, b: 1n }),
    new Map<Value, Value>([[1n, 1n]]),
    new Map<Value, Value>([['1', 1n]]),
    'é',
    'e\u0301',
    2n ** 53n,
    2n ** 53n + 1n,
    2 ** 53,
    0.1,
    0.30000000000000004,
    0.3,
    Number.NaN,
    new Opaque('bytes', ''),
  ];

  test('and not when they differ in type, order or content', () => {
    for (const [i, a] of apart.entries()) {
      for (const [j, b] of apart.entries()) {
        const itself = i === j && !Number.isNaN(a);
        expect([a, b, same(structuredCopy(a), b)]).toStrictEqual([a, b, itself && !(a instanceof Opaque)]);
      }
    }
  });
});

/** The same value, made anew. */
function structuredCopy(value: Value): Value {
  if (isList(value)) return value.map(structuredCopy);
  if (value instanceof Tuple) return new Tuple(value.items.map(structuredCopy));
  if (isDict(value)) return new Map([...value].map(([key, item]) => [key, structuredCopy(item)]));
  return value instanceof Opaque ? new Opaque(value.type, value.text) : value;
}

test('with one type of number, whole numbers are ints as far as they are exact', () => {
  const whole: readonly Value[] = [
    1,
    1n,
    2 ** 53,
    2n ** 53n,
    2n ** 53n - 1n,
    -0,
    0.5,
    Number.POSITIVE_INFINITY,
  ];
  expect(withOneNumberType([...whole, new Tuple([1]), dict({ a: 2 })])).toStrictEqual([
    1n,
    1n,
    2 ** 53,
    2 ** 53,
    2n ** 53n - 1n,
    0n,
    0.5,
    Number.POSITIVE_INFINITY,
    new Tuple([1n]),
    dict({ a: 2n }),
  ]);
  fc.assert(
    fc.property(pythonValue, (value) => {
      expect(withOneNumberType(withOneNumberType(value))).toStrictEqual(withOneNumberType(value));
    }),
  );
});

// ---- JSON

describe('JSON', () => {
  const spellings = [
    { ascii: false, space: '' },
    { ascii: true, space: ' ' },
    { ascii: true, space: '\n\t ' },
  ];

  test('read back is the value it was written of', () => {
    fc.assert(
      fc.property(jsonValue, fc.constantFrom(...spellings), (value, spelling) => {
        expect(fromJson(toJson(value, spelling))).toStrictEqual(value);
      }),
      { numRuns: 500 },
    );
  });

  test('is read, and written, by Python as the same value', () => {
    const values = sample(jsonValue);
    const asked = values.map((value, index) => [
      toJson(value, spellings[index % 3] ?? { ascii: true, space: '' }),
      encode(value),
    ]);
    const program = `
read, value = json.loads(given[0]), host.decode(given[1])
return json.dumps(read, ensure_ascii=len(given[0]) % 2 == 0) if alike(read, value) else 'read as ' + repr(read)`;
    const answers = askPython(program, asked);
    for (const [index, value] of values.entries()) {
      expect(fromJson(answers[index] ?? ''), answers[index]).toStrictEqual(value);
    }
  });

  test.each(['', '{', "{'a': 1}", '[1,]', '01', '1.', '+1', 'NaN', 'Infinity', 'None', '"\n"', '1 2'])(
    'is not %j',
    (other) => {
      expect(() => fromJson(other)).toThrow(SyntaxError);
    },
  );

  test('keeps ints and floats apart, at any size', () => {
    expect(fromJson('[1, 1.0, -0, -0.0, 1e2, 18446744073709551616, 1e400]')).toStrictEqual([
      1n,
      1,
      0n,
      -0,
      100,
      2n ** 64n,
      Number.POSITIVE_INFINITY,
    ]);
  });
});

// ---- literals

describe('a literal', () => {
  test('of Python evaluates to the value it was written of', () => {
    const values = sample(pythonValue);
    const asked = values.map((value) => [literal(value, 'python'), encode(value)]);
    const program = `
value = eval(given[0])
return 'alike' if alike(value, host.decode(given[1])) else repr(value) + ' from ' + given[0]`;
    expect(new Set(askPython(program, asked))).toStrictEqual(new Set(['alike']));
  });

  test('of JavaScript does, too', () => {
    fc.assert(
      fc.property(pythonValue.map(withOneNumberType), (value) => {
        fc.pre(!literal(value, 'javascript').includes("'__proto__': ")); // see below
        const evaluated = vm.runInThisContext(`(${literal(value, 'javascript')})`);
        expect(evaluated).toEqual(native(value)); // toStrictEqual asks a member named constructor for the type
      }),
    );
  });

  test('keeps the sign of a zero', () => {
    expect([literal(-0, 'python'), literal(-0, 'javascript')]).toStrictEqual(['-0.0', '-0']);
    expect(toJson(-0, { ascii: true, space: '' })).toBe('-0.0');
  });

  test('of JavaScript has a member __proto__ where the value has one', () => {
    const value = new Map([['__proto__', 'x']]);
    expect(vm.runInThisContext(`(${literal(value, 'javascript')})`)).toStrictEqual(native(value));
  });

  test('shows every character that has no shape of its own by its number', () => {
    fc.assert(
      fc.property(text, fc.constantFrom('python' as const, 'javascript' as const), (value, language) => {
        expect(literal(value, language)).toMatch(/^'[^\p{M}\p{C}\p{Zl}\p{Zp}\t\n\x7f-\xa0]*'$/u);
      }),
    );
    expect(literal("e\u0301 'x'\\\n\u{E0001}", 'python')).toBe("'e\\u0301 \\'x\\'\\\\\\x0a\\U000e0001'");
    expect(literal("e\u0301 'x'\\\n\u{E0001}", 'javascript')).toBe("'e\\u0301 \\'x\\'\\\\\\x0a\\u{e0001}'");
  });
});

/** The value as JavaScript itself has it. */
function native(value: Value): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (isList(value)) return value.map(native);
  if (value instanceof Tuple) return value.items.map(native);
  return isDict(value) ? Object.fromEntries([...value].map(([key, item]) => [key, native(item)])) : value;
}

test('functions have the names of their language', () => {
  expect(functionName('retention_cycle', 'python')).toBe('retention_cycle');
  expect(functionName('retention_cycle', 'javascript')).toBe('retentionCycle');
  expect(functionName('fetch', 'javascript')).toBe('fetch');
});

// ---- expectations

const raised = (name: string, bases: string[] = [], code: number | null = null): Raised => ({
  type: name,
  bases: [name, ...bases, 'Exception'],
  message: 'm',
  code,
  at: null,
});
const locked = raised('sqlite3.OperationalError', ['sqlite3.Error'], 5);
const constraint = raised('sqlite3.IntegrityError', ['sqlite3.Error'], 19);
const refused = raised('ValueError');

describe('an exception', () => {
  test.each([
    ['of the driver, that is locked', [locked], true, true],
    ['of a driver in JavaScript', [raised('SqliteError', ['SqliteError'], 6)], true, true],
    ['of the driver, for another reason', [constraint], true, false],
    ['raised from a lock', [refused, locked], false, true],
    ['raised from a lock long before', [refused, constraint, locked], false, true],
    ['that only says that it is busy', [raised('BusyError', [], 5)], false, false],
    ['of another kind', [refused], false, false],
  ] as const)('%s', (_, [first, ...rest], fromDriver, gaveUp) => {
    const thrown = seen({ status: 'raised', chain: [first, ...rest] }) as Thrown;
    expect([thrown.fromDriver, thrown.gaveUp]).toStrictEqual([fromDriver, gaveUp]);
    expect(same(thrown, new Refusal())).toBe(!fromDriver);
    expect(same(thrown, new Anything())).toBe(false);
    expect(same(thrown, thrown.chain[0].message)).toBe(false);
  });
});

describe('a term', () => {
  const meets: readonly [string, Value, readonly Value[], readonly Value[]][] = [
    ['Refusal()', new Refusal(), [new Thrown([refused])], [null, false, 'ValueError', new Thrown([locked])]],
    ['Anything()', new Anything(), [null, 1n, [], new Opaque('object', '')], [new Thrown([refused])]],
    ['OneOf(0, 1)', new OneOf([0n, 1n]), [0n, 1n], [2n, true, 1, '0', [0n]]],
    ['OneOf([Anything()])', new OneOf([[new Anything()]]), [[1n], [null]], [[], [1n, 2n], 1n]],
    [
      "Through('a', 'b')",
      new Through(['a', 'b']),
      [
        ['a', 'b'],
        ['x', 'a', 'b', 'b'],
      ],
      [['b', 'a'], ['a'], 'ab'],
    ],
    ['Through()', new Through([]), [[], [1n]], [null, '']],
    [
      "Json({'a': [1, 1.0, None]})",
      new JsonOf(dict({ a: [1n, 1, null] }), 2),
      ['{"a":[1,1.0,null]}', ' {"\\u0061" : [1, 1e0, null]}\n'],
      [
        '{"a":[1,1,null]}',
        '{"a":[true,1.0,null]}',
        '{"a":[1,1.0]}',
        '',
        'null',
        dict({ a: [1n, 1, null] }),
        null,
      ],
    ],
    ['Json({})', new JsonOf(dict({ __proto__: null }), 2), ['{}'], ['{"__proto__": 1}', '[]']],
    ["Json({'__proto__': 1})", new JsonOf(new Map([['__proto__', 1n]]), 2), ['{"__proto__": 1}'], ['{}']],
  ];

  test.each(meets)('%s', (source, term, met, unmet) => {
    expect(literal(term, 'python')).toBe(source);
    for (const value of met) expect([value, same(value, term)]).toStrictEqual([value, true]);
    for (const value of unmet) expect([value, same(value, term)]).toStrictEqual([value, false]);
  });

  test('of JSON in JavaScript has one type of number', () => {
    const term = new JsonOf([1n, 2 ** 53], 1);
    expect(
      ['[1, 9007199254740992]', '[1.0, 9007199254740992.0]', '[1, 2]'].map((json) => same(json, term)),
    ).toStrictEqual([true, true, false]);
  });
});
