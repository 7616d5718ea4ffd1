import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { textsOf, tongues } from '../harness/messages/texts.ts';
import { type AnyLab, labs } from '../harness/registry.ts';
import { wrapped } from '../harness/report/wrap.ts';
import { run } from './labcheck.ts';

/* `labcheck explain`: what is said of each clause, in every tongue, and how it is set. */

const clausesOf = (lab: AnyLab) => lab.steps.flatMap(({ clauses }) => clauses.map(({ id }) => id));

describe.each(labs)('the clauses of $id', (lab) => {
  test.each(tongues)('are all explained in %s, and no others', async (tongue) => {
    const about = await lab.explain?.();
    const texts = about?.explanations[tongue] ?? {};
    expect(Object.keys(texts).sort()).toEqual(clausesOf(lab).sort());
    for (const { why, limits } of Object.values(texts)) {
      expect(why.length).toBeGreaterThan(20);
      expect(limits.length).toBeGreaterThan(8);
      for (const line of [...wrapped(why, 78, tongue), ...wrapped(limits, 78, tongue)])
        expect(stringWidth(line)).toBeLessThanOrEqual(78);
    }
  });

  test('are explained in each tongue by texts of its own', async () => {
    const about = await lab.explain?.();
    for (const id of clausesOf(lab)) {
      const said = tongues.map((tongue) => about?.explanations[tongue][id]?.why);
      expect(new Set(said).size).toBe(tongues.length);
    }
  });

  test('are those that sources are named for', async () => {
    const about = await lab.explain?.();
    expect(Object.keys(about?.sources ?? {}).filter((id) => !clausesOf(lab).includes(id))).toEqual([]);
    for (const { url } of Object.values(about?.sources ?? {}).flat()) expect(URL.canParse(url)).toBe(true);
  });
});

describe('wrapping', () => {
  test('counts wide characters as two, and lets no line begin with a full stop', () => {
    expect(wrapped('漢字。漢字。', 4, 'ja')).toEqual(['漢', '字。', '漢', '字。']);
    expect(wrapped('漢字漢字', 5, 'zh')).toEqual(['漢字', '漢字']);
  });

  test('breaks Korean and English at blanks, and leaves whole what is too long', () => {
    expect(wrapped('돈이 두 번 나갑니다', 8, 'ko')).toEqual(['돈이 두', '번', '나갑니다']);
    expect(wrapped('a bc incomprehensible d', 6, 'en')).toEqual(['a bc', 'incomprehensible', 'd']);
  });

  test('of nothing is one empty line', () => {
    expect(wrapped('', 80, 'en')).toEqual(['']);
  });
});

describe.concurrent('labcheck explain', () => {
  test('tells the sentence of a clause, why, what is left open, and sources', async () => {
    const { code, stdout } = await run(['explain', 'idem-retention-lab', '4.2', '--lang', 'ja']);
    const texts = textsOf('ja');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^4\.2 {2}/);
    for (const key of ['why', 'limits', 'sources'] as const)
      expect(stdout).toContain(texts.say('explain', key));
    expect(stdout).toContain('https://docs.stripe.com/api/idempotent_requests');
  });

  test('without a clause lists all of them', async () => {
    const { code, stdout } = await run(['explain', 'idem-transfer-lab', '--lang', 'en']);
    const [lab] = labs.filter(({ id }) => id === 'idem-transfer-lab');
    expect(code).toBe(0);
    expect([...stdout.matchAll(/^ {2}(\d\.\d) {2}/gm)].map(([, id]) => id)).toEqual(lab && clausesOf(lab));
    for (const line of stdout.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(80);
  });

  test('speaks the tongue of the environment, if none is asked for', async () => {
    const { stdout } = await run(['explain', 'idem-retention-lab', '6.4'], { LC_ALL: 'ko_KR.UTF-8' });
    expect(stdout).toContain(textsOf('ko').say('explain', 'why'));
  });

  test.each([
    [['explain', 'idem-retention-lab', '9.9'], /^labcheck: 9\.9: .*1\.1, 1\.2.*8\.3\n$/],
    [
      ['explain', 'idem-retention-lab', '4.2', '--lang', 'fr'],
      /^error: .*'--lang <tongue>'.*'fr'.*en, ja, ko, zh\.\n$/,
    ],
    [['explain', 'no-lab'], /./],
  ])('%j is wrong use, told in one line', async (args, line) => {
    const { code, stderr } = await run(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(line);
  });
});
