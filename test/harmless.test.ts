import { describe, expect, test } from 'vitest';
import { harmless, harmlessJson, harmlessLine } from '../harness/report/harmless.ts';

describe('what a submission wrote is shown', () => {
  test.each([
    ['\x1b[31mred\x1b[0m', '\\u001b[31mred\\u001b[0m'],
    ['a\rb\x07\x7f\x9b', 'a\\rb\\u0007\\u007f\\u009b'],
    ['user\u202egnp.exe\u2066', 'user\\u202egnp.exe\\u2066'],
    ['zero\u200bwidth\ufeff', 'zero\\u200bwidth\\ufeff'],
    ['\u2028\u2029', '\\u2028\\u2029'],
    ['\ud800', '\\ud800'],
    ['\u{E0001}', '\\udb40\\udc01'],
    ['::error file=a.py::gone', '\\x3a:error file=a.py::gone'],
    ['one\n  ::set-output name=x::y', 'one\n  \\x3a:set-output name=x::y'],
    ['x ##[error]gone', 'x #\\x23[error]gone'],
    ['é 계좌 🦊 a::b', 'é 계좌 🦊 a::b'],
  ])('%j as %j', (text, expected) => expect(harmless(text)).toBe(expected));

  test('on one line where there is but one', () => expect(harmlessLine('a\n::b')).toBe('a\\n::b'));

  test('in JSON with nothing lost', () => {
    const value = { 'k\u202e': '##[error]\u{E0001}\x9b\n\x1b é 🦊' };
    const json = harmlessJson(JSON.stringify(value, undefined, 2));
    expect(JSON.parse(json)).toStrictEqual(value);
    expect(json).not.toMatch(/##\[|[\x7f-\x9f]|\p{Cf}/u);
  });
});
