import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { phrases } from '../checks/idem-transfer-lab/messages/phrases.ts';
import type { LabMessages } from '../harness/contract.ts';
import { endFor, endSaid } from '../harness/messages/faults.ts';
import {
  catalogues,
  type InEveryTongue,
  type Part,
  textsOf,
  tongueOf,
  tongueOfReader,
  tongues,
} from '../harness/messages/texts.ts';
import { loadMutants, mutantsFolder } from '../harness/mutation/mutants.ts';
import { labs } from '../harness/registry.ts';
import { wrapped } from '../harness/report/wrap.ts';
import { askedAbout } from '../harness/worksheet/exercises.ts';

/* What learners read is there in every tongue, whole. */

const english = catalogues.en;
const parts = Object.keys(english) as Part[];
const others = tongues.filter((tongue) => tongue !== 'en');

/** Texts that are the same in every tongue: names and signs. */
const alike = new Set(['python', 'stderr']);

describe.each(others)('in %s', (tongue) => {
  test.each(parts)('%s has the keys and the placeholders of the English one', (part) => {
    const own: Readonly<Record<string, string>> = catalogues[tongue][part];
    const originals = Object.entries(english[part] as Record<string, string>);
    // Of the forms of a plural these tongues have one.
    const due = originals.filter(([key]) => !key.endsWith('_one'));
    expect(Object.keys(own).sort()).toEqual(due.map(([key]) => key).sort());
    for (const [key, text] of due) {
      expect(placeholders(own[key] ?? ''), key).toEqual(placeholders(text));
      if (/[a-z]{3}/.test(text.replace(/\{\{\w+\}\}/g, '')) && !alike.has(key))
        expect(own[key], key).not.toBe(text);
    }
  });

  test.each(labs)('$id has each of its sentences', (lab) => {
    const own: LabMessages = lab.messages?.[tongue] ?? expect.unreachable();
    const clauses = lab.steps.flatMap((step) => step.clauses);
    expect(Object.keys(own.clauses).sort()).toEqual(clauses.map(({ id }) => id).sort());
    expect(Object.keys(own.steps)).toEqual(lab.steps.map(({ number }) => String(number)));
    expect(own.title).not.toBe(lab.title);
    for (const { id, statement, options } of clauses) {
      const { statement: said, hint } = own.clauses[id] ?? expect.unreachable();
      expect(said, id).toMatch(/[\p{scx=Han}\p{scx=Hangul}]/u);
      expect(hint === undefined, id).toBe(options.hint === undefined);
      if (hint !== undefined) expect(hint, id).toMatch(/[\p{scx=Han}\p{scx=Hangul}]/u);
      for (const literal of statement.match(
        /`\w+`|\b(?:True|False|None|JSON|\d{3}|\w+\.(?:db|json|md))\b/g,
      ) ?? [])
        expect(said, id).toContain(literal);
    }
  });
});

test.each(labs)(
  'the worksheet of $id gives each of its reasons in every tongue',
  ({ id, steps, messages }) => {
    const mutants = loadMutants(mutantsFolder(id));
    const asked = steps.flatMap(({ number }) => askedAbout(number, mutants) ?? []);
    for (const tongue of others) {
      const own = messages?.[tongue]?.mutants ?? {};
      expect(Object.keys(own).sort()).toEqual(asked.map((mutant) => mutant.id).sort());
      for (const [mutant, why] of Object.entries(own))
        expect(why, mutant).toMatch(/[\p{scx=Han}\p{scx=Hangul}]/u);
    }
  },
);

test('a phrase of a lab has its placeholders in every tongue', () => {
  for (const [key, phrase] of Object.entries<InEveryTongue>(phrases)) {
    for (const tongue of others) expect(placeholders(phrase[tongue]), key).toEqual(placeholders(phrase.en));
  }
});

test('the form of a plural follows its count', () => {
  const { say } = textsOf('en');
  expect([0, 1, 2].map((count) => say('terminal', 'cases', { count }))).toEqual([
    '0 cases',
    '1 case',
    '2 cases',
  ]);
  expect(textsOf('ko').say('terminal', 'cases', { count: 1 })).toBe('사례 1개');
});

test.each(tongues)('what is put into a text stays as it is: %s', (tongue) => {
  const hostile = '$t(terminal:passed) {{cases}} $& </b> {{count}} $1 %s';
  const { say, phrase } = textsOf(tongue);
  expect(say('telling', 'otherConnection', { sql: hostile })).toContain(hostile);
  expect(phrase(phrases.atLeast, { members: hostile })).toContain(hostile);
});

test('the tongue is that which is asked for, else that of the environment, else English', () => {
  expect(['ja_JP.UTF-8', 'ko', 'zh-TW', 'ZH_cn@x', 'C.UTF-8', '', undefined].map(tongueOf)).toEqual([
    ...['ja', 'ko', 'zh', 'zh'],
    ...[undefined, undefined, undefined],
  ]);
  expect(tongueOfReader('ko', { LC_ALL: 'ja_JP' })).toBe('ko');
  expect(tongueOfReader(undefined, { LC_ALL: 'ja_JP', LC_MESSAGES: 'zh_CN', LANG: 'ko_KR' })).toBe('ja');
  expect(tongueOfReader(undefined, { LC_ALL: '', LC_MESSAGES: 'zh_CN', LANG: 'ko_KR' })).toBe('zh');
  expect(tongueOfReader(undefined, { LC_ALL: 'C', LANG: 'ko_KR' })).toBe('en');
  expect(tongueOfReader(undefined, {})).toBe('en');
});

describe('a text is wrapped', () => {
  test.each([
    ['two words', 5, ['two', 'words']],
    ['unbreakable', 4, ['unbreakable']],
    ['期限が来るまで。', 10, ['期限が来る', 'まで。']],
    ['期限が来る。', 10, ['期限が来', 'る。']], // no line begins with a full stop
    ['答えは None で', 8, ['答えは', 'None で']],
    ['', 5, ['']],
  ])('%s in %i columns', (text, columns, lines) => {
    expect(wrapped(text, columns, 'ja')).toEqual(lines);
  });

  test('no line of a lab’s sentences is wider than it may be', () => {
    for (const lab of labs) {
      for (const tongue of others) {
        const said = Object.values(lab.messages?.[tongue]?.clauses ?? {});
        const texts = said.flatMap(({ statement, hint = '' }) => [statement, hint]);
        for (const line of texts.flatMap((text) => wrapped(text, 73, tongue)))
          expect(stringWidth(line), line).toBeLessThanOrEqual(73);
      }
    }
  });
});

function placeholders(text: string): string[] {
  return (text.match(/\{\{\w+\}\}/g) ?? []).sort();
}

describe('how a call ended without an outcome', () => {
  const values = { name: 'fetch', seconds: '7.5', code: 3, signal: 9, mebi: 1024, number: 64 };
  const keys = Object.keys(english.ends) as (keyof typeof english.ends)[];
  test.each(others)('is told in %s, its values in place', (tongue) => {
    const texts = textsOf(tongue);
    for (const key of keys) expect(endFor(endSaid(key, values), texts)).toBe(texts.say('ends', key, values));
  });

  test('stays as it is where it is another’s', () => {
    const said = 'service.py:1: SyntaxError: there is no function x (but one)';
    expect(endFor(said, textsOf('ja'))).toBe(said);
    expect(endFor(endSaid('exited', { code: 3 }), textsOf('en'))).toBe('the process exited with code 3');
  });
});
