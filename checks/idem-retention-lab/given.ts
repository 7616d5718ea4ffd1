import fc, { type Arbitrary } from 'fast-check';
import { toJson } from '../../harness/json.ts';
import type { Value } from '../../harness/value.ts';
import type { Instant, Row } from './model.ts';

/*
 * Small pools of near-equal values make collisions and boundaries likely; wide ones beside them show what only a
 * far value shows. fast-check shrinks a choice towards its first.
 */

/** What fails with a far value may fail with a near one: the first arbitrary is tried for all the others. */
const smallest = { withCrossShrink: true };

/** Text as SQLite can hold it and the contract speaks of it: no NUL, no lone surrogate. */
function text(maxLength: number): Arbitrary<string> {
  return fc.string({ unit: 'binary', maxLength }).map((drawn) => drawn.replaceAll('\0', ''));
}

const long = 'k'.repeat(300);

/**
 * Ids that a careless comparison takes for one another, or puts in another order: by case, blanks, wild cards,
 * quotes, composition, number, length. The last four sort one way by code point and another by UTF-16 unit.
 */
const nearKeys = [
  ...['a', 'b', 'A', 'B', 'aa', 'ab', 'a ', ' a', '', '%', '_', 'a%', "'", '"', '\\', '*', '?', '[a]'],
  ...['1', '01', '1.0', '1e0', '10', '9', 'null', 'é', 'É', 'ß', 'ss', long, `${long}x`, `${long}y`],
  // Not in Unicode's composed form, as some keyboards and file systems write them: é, Å, が, 한.
  ...['e\u0301', 'A\u030a', 'か\u3099', '\u1112\u1161\u11ab'],
  ...['\n', 'a\n', '\u200b', '\uff5a', '\ue000', '\u{10000}', '\u{1f98a}'],
];

export function keys(): Arbitrary<string> {
  return fc.oneof(
    smallest,
    { weight: 6, arbitrary: fc.constantFrom(...nearKeys) },
    { weight: 1, arbitrary: text(12) },
  );
}

/** A few ids only, so that calls meet the same one again and again. */
export function fewKeys(): Arbitrary<string> {
  return fc.constantFrom('a', 'a', 'a', 'b', 'A', 'B', 'a ', '', '%', 'e\u0301', 'é');
}

export function digests(): Arbitrary<string> {
  return fc.oneof(
    smallest,
    { weight: 6, arbitrary: fc.constantFrom('f', 'g', 'F', 'f ', '%', 'ff', '0', '00', 'v1') },
    { weight: 1, arbitrary: text(12).map((drawn) => drawn || 'f') },
  );
}

/** Twins: the last digit that a double has, a second and its thousand milliseconds, int and float. */
const nearInstants: Instant[] = [
  ...[
    10n,
    9n,
    11n,
    10.000000000000002,
    9.999999999999998,
    10.5,
    10.4,
    100n,
    100.5,
    0n,
    5e-324,
    -5e-324,
    -1n,
    -10.5,
  ],
  ...[1e-9, 1_700_000_000n, 1_700_000_000.25, 1_700_000_000.2500002, 1_700_000_000_000n, 4_102_444_800n],
];

/** Finite, and an int only where a double holds it: `expires` is a REAL. */
const wideInstants: Arbitrary<Instant> = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((drawn) => drawn + 0), // no -0.0: SQLite stores 0.0
  fc.bigInt({ min: -(2n ** 53n), max: 2n ** 53n }),
);

export function instants(): Arbitrary<Instant> {
  return fc.oneof(
    smallest,
    { weight: 6, arbitrary: fc.constantFrom(...nearInstants) },
    { weight: 3, arbitrary: fc.constantFrom(...nearInstants.slice(0, 5)) },
    { weight: 1, arbitrary: wideInstants },
  );
}

/** Responses that a careless test takes for none, or for another one of them. */
const falsyResponses: Value[] = [
  null,
  false,
  0n,
  0.0,
  '',
  [],
  new Map(),
  true,
  1n,
  1.0,
  'null',
  '"x"',
  '{}',
  '0',
];

const scalars: Arbitrary<Value> = fc.oneof(
  fc.constantFrom(...falsyResponses),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(
    2n ** 53n,
    2n ** 53n + 1n,
    -(2n ** 63n),
    2n ** 63n - 1n,
    0.1,
    1e300,
    5e-324,
    1e16,
    123456789.125,
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((drawn) => drawn + 0),
  fc.constantFrom('a', 'é', 'e\u0301', '\u{1f98a}', "it's", '"', '\\', '</script>', '\n', '\u2028'),
  text(8),
);

/** Any JSON value that Python's json module reads as it wrote it. */
export function responses(): Arbitrary<Value> {
  return fc.oneof(
    smallest,
    { weight: 2, arbitrary: fc.constant<Value>(new Map([['receipt', 1n]])) },
    { weight: 3, arbitrary: fc.constantFrom(...falsyResponses) },
    { weight: 4, arbitrary: nested },
  );
}

const { nested } = fc.letrec<{ nested: Value; members: Value }>((tie) => ({
  nested: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalars,
    fc.array(tie('nested'), { maxLength: 3 }),
    tie('members'),
  ),
  members: fc
    .uniqueArray(fc.tuple(text(4), tie('nested')), { maxLength: 3, selector: ([name]) => name })
    .map((members): Value => new Map(members)),
}));

const spellings = fc.record({ ascii: fc.boolean(), space: fc.constantFrom('', ' ', '\n  ') });

/** A legal row: pending without a response, or done with one, in any spelling of JSON. */
export function rows(ids = keys()): Arbitrary<Row> {
  return fc.oneof(smallest, pendingRows(ids), doneRows(ids));
}

export function pendingRows(ids = keys()): Arbitrary<Row> {
  return fc
    .record({ id: ids, fingerprint: digests(), expires: instants() })
    .map((drawn): Row => ({ ...drawn, status: 'pending', response: null, answer: null }));
}

export function doneRows(ids = keys()): Arbitrary<Row> {
  return fc
    .record({
      id: ids,
      fingerprint: digests(),
      expires: instants(),
      answer: responses(),
      spelling: spellings,
    })
    .map(
      ({ spelling, ...drawn }): Row => ({
        ...drawn,
        status: 'done',
        response: toJson(drawn.answer, spelling),
      }),
    );
}

/** The row as it was before it was finished. */
export function pending(row: Row): Row {
  return { ...row, status: 'pending', response: null, answer: null };
}

/** The row, made to expire by that instant if it would not. */
export function dueBy(row: Row, now: Instant): Row {
  return row.expires <= now ? row : { ...row, expires: now };
}

/** Rows of different ids, in no order. */
export function tables(maxLength = 5, row = rows(), minLength = 0): Arbitrary<Row[]> {
  return fc.uniqueArray(row, { minLength, maxLength, selector: ({ id }) => id });
}

/** More rows than the default limit of 10, and than the largest of 100, most of them alike. */
export function largeTables(): Arbitrary<Row[]> {
  return fc
    .record({
      size: fc.constantFrom(11, 12, 25, 11, 103),
      step: fc.constantFrom(1, 7, 29, 97),
      pending: fc.constantFrom(0, 2, 5),
      expires: fc.constantFrom<Instant>(10n, 9.5, 0n, -1n),
    })
    .map(({ size, step, pending, expires }) =>
      Array.from({ length: size }, (_, n): Row => {
        const id = `k${(n * step) % size}`; // not in order, neither by number nor by text
        const row = { id, fingerprint: 'f', expires };
        if (n < pending) return { ...row, status: 'pending', response: null, answer: null };
        return { ...row, status: 'done', response: '{"receipt":1}', answer: new Map([['receipt', 1n]]) };
      }),
    );
}

/** Limits in force, the default (undefined) among them. */
export function limits(): Arbitrary<bigint | undefined> {
  return fc.oneof(
    fc.constantFrom(undefined, 1n, 2n, 3n, 10n, 11n, 99n, 100n),
    fc.bigInt({ min: 1n, max: 100n }),
  );
}

/** Limits that must be refused. JavaScript cannot tell 1.0 from 1. */
export function badLimits(): Arbitrary<Value> {
  return fc.constantFrom<Value>(
    0n,
    101n,
    -1n,
    true,
    false,
    1.0,
    '1',
    null,
    1.5,
    100.5,
    102n,
    1000n,
    -100n,
    '10',
  );
}

/** How much longer than needed a call is left waiting for the lock; see {@link Subject.callWhileHeld}. */
export function patience(): Arbitrary<number> {
  return fc.constantFrom(0, 0, 1);
}
