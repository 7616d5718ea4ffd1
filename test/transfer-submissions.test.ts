import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { judge } from '../harness/judge.ts';
import type { Tongue } from '../harness/messages/texts.ts';
import { projectFile } from '../harness/project.ts';
import { labById } from '../harness/registry.ts';
import { type Report, toldFor } from '../harness/report/report.ts';
import { openScratch } from '../harness/scratch.ts';

/* What learners leave of the transfer lab, and what they are told. Each begins with the reference. */

const scratch = openScratch();
afterAll(() => scratch.remove());

const reference = projectFile('reference/idem-transfer-lab');
let count = 0;

/** A copy of the Python reference, changed. */
function submission(change: (file: (name: string) => string) => void): string {
  const folder = path.join(scratch.folder, `submission-${++count}`);
  cpSync(reference, folder, {
    recursive: true,
    filter: (source) => !source.endsWith('.ts') && path.basename(source) !== 'variants',
  });
  change((name) => path.join(folder, name));
  return folder;
}

async function judged(place: string, step: number, budget?: number, tongue?: Tongue): Promise<Report> {
  const lab = labById('idem-transfer-lab');
  if (!lab) throw new Error('no such lab');
  const { signal } = new AbortController();
  const unset = { seed: 1, runs: 3, interpreter: undefined, onClause: () => {} };
  return judge({ lab, tongue, place, steps: [step], budget, interrupted: signal, ...unset });
}

/** Kinds and what was got, of the clauses that failed. */
async function failures(
  place: string,
  step: number,
  budget?: number,
): Promise<[string | undefined, string][]> {
  const report = await judged(place, step, budget);
  return report.steps.flatMap(({ clauses }) =>
    clauses.flatMap(({ failure, fault }) => {
      if (fault) return [['undecided', fault] as [string, string]];
      return failure ? [[failure.kind, failure.got] as [string, string]] : [];
    }),
  );
}

/** idem_api.py with one text in the place of another, which it must have. */
function edited(anchor: string, replacement: string): string {
  return submission((file) => {
    const source = readFileSync(file('idem_api.py'), 'utf8');
    expect(source.split(anchor)).toHaveLength(2);
    writeFileSync(file('idem_api.py'), source.replace(anchor, replacement));
  });
}

const script = (source: string) => submission((file) => writeFileSync(file('idem_api.py'), source));

describe('files', () => {
  test('no idem.db', async () => {
    const folder = submission((file) => rmSync(file('idem.db')));
    expect((await failures(folder, 1))[0]).toEqual(['missing', 'there is no idem.db']);
  });

  test('an idem.db that is no database', async () => {
    const folder = submission((file) =>
      writeFileSync(file('idem.db'), 'not a database, however long it is '.repeat(99)),
    );
    expect((await failures(folder, 1))[0]).toEqual(['load', 'idem.db: file is not a database']);
  });

  test('an idem.db without the table', async () => {
    const folder = submission((file) => writeFileSync(file('idem.db'), ''));
    expect((await failures(folder, 1))[0]).toEqual(['load', 'idem.db: no such table: account']);
  });

  test('a dup_report.json that is no JSON', async () => {
    const folder = submission((file) => writeFileSync(file('dup_report.json'), "{'requests': 120}"));
    const [[kind, got] = []] = await failures(folder, 2);
    expect(kind).toBe('load');
    expect(got).toMatch(/^dup_report\.json is no JSON: /);
  });

  test.each([
    ['ja', 'dup_report.json は JSON として読めません: ', '# idem_report.md: 本文のある節 を調べる'],
    ['ko', 'dup_report.json을(를) JSON으로 읽을 수 없습니다: ', '# idem_report.md: 본문이 있는 절 확인'],
    ['zh', 'dup_report.json 不是 JSON：', '# 检查 idem_report.md：有正文的小节'],
  ] as const)('what is wrong with files is told in %s', async (tongue, noJson, looked) => {
    const folder = submission((file) => {
      writeFileSync(file('dup_report.json'), "{'requests': 120}");
      writeFileSync(file('idem_report.md'), '## 없음');
    });
    const told = async (step: number) => {
      const { steps } = await judged(folder, step, undefined, tongue);
      return steps[0]?.clauses.flatMap(({ failure }) => (failure ? [toldFor(failure)] : []))[0];
    };
    expect((await told(2))?.story.got).toContain(noJson);
    expect((await told(8))?.reproduce).toContain(looked);
  });

  test('a dup_report.json that lacks a field', async () => {
    const folder = submission((file) => {
      const { double_paid: _, ...rest } = JSON.parse(readFileSync(file('dup_report.json'), 'utf8'));
      writeFileSync(file('dup_report.json'), JSON.stringify(rest));
    });
    const [[kind, got] = []] = await failures(folder, 2);
    expect(kind).toBe('contract');
    expect(got).toContain("'requests': 120");
  });

  test('a dup_report.json with its numbers as floats, its keys in another order and more members', async () => {
    const folder = submission((file) => {
      const report = JSON.parse(readFileSync(file('dup_report.json'), 'utf8'));
      const text = JSON.stringify({ note: 'x', ...report, keys: report.keys.reverse() }, undefined, 3);
      writeFileSync(file('dup_report.json'), text.replace('"requests": 120,', '"requests": 120.0,'));
    });
    expect(await failures(folder, 2)).toEqual([]);
  });

  test('a report without its third section, or with an amount that is part of another', async () => {
    const without = submission((file) => {
      const text = readFileSync(file('idem_report.md'), 'utf8');
      writeFileSync(file('idem_report.md'), text.replace('## 남은 위험', '## 위험'));
    });
    expect(await failures(without, 8)).toHaveLength(1);
    const { double_paid_avoided: amount } = JSON.parse(
      readFileSync(path.join(reference, 'result.json'), 'utf8'),
    );
    const other = submission((file) => {
      const text = readFileSync(file('idem_report.md'), 'utf8');
      const grouped = Number(amount).toLocaleString('en-US');
      writeFileSync(
        file('idem_report.md'),
        text.replaceAll(grouped, `1,${grouped}`).replaceAll(String(amount), `1${amount}`),
      );
    });
    expect(await failures(other, 8)).toHaveLength(1);
  });
});

describe('the command', () => {
  test('that is not there yet', async () => {
    const folder = submission((file) => rmSync(file('idem_api.py')));
    expect((await failures(folder, 3))[0]).toEqual(['missing', 'there is no script idem_api']);
    expect(await failures(folder, 1)).toEqual([]);
  });

  test('that never ends', async () => {
    const folder = script('while True: pass');
    expect((await failures(folder, 3, 9))[0]?.[0]).toBe('timeout');
  });

  test('that prints 100 MB', async () => {
    const printing = script('print("x" * 100_000_000)');
    expect((await failures(printing, 3))[0]).toEqual(['output', 'more than 1 MiB printed']);
  });

  test('that prints nothing', async () => {
    expect((await failures(script(''), 3))[0]).toEqual(['contract', 'exit code 0']);
  });

  test('that prints two JSON values', async () => {
    const folder = edited(
      '    print(json.dumps(output))',
      '    print(json.dumps(output), json.dumps(output))',
    );
    expect((await failures(folder, 3))[0]?.[0]).toBe('contract');
  });

  test('that ends with 0 after a traceback', async () => {
    const source =
      'import os, sys, traceback\ntry:\n    1 / 0\nexcept ZeroDivisionError:\n    traceback.print_exc()\nsys.exit(0)';
    const [[kind, got] = []] = await failures(script(source), 3);
    expect(kind).toBe('contract');
    expect(got).toContain('ZeroDivisionError');
  });

  test('that has a syntax error', async () => {
    const [[kind, got] = []] = await failures(script('def main(:'), 3);
    expect(kind).toBe('contract');
    expect(got).toContain('SyntaxError');
  });

  test('that says True for a status, or 1 for a replay', async () => {
    const folder = edited(
      '    return {"status": status, "replay": replay,',
      '    return {"status": status, "replay": int(replay),',
    );
    expect((await failures(folder, 3))[0]?.[0]).toBe('contract');
  });
});

test('what the generators make is judged anew with --rebuild', async () => {
  const lab = labById('idem-transfer-lab');
  if (!lab) throw new Error('no such lab');
  const stale = submission((file) => {
    const source = readFileSync(file('gen_requests.py'), 'utf8');
    writeFileSync(file('gen_requests.py'), `raise SystemExit("broken")\n${source}`);
  });
  const { signal } = new AbortController();
  const unset = { seed: 1, runs: undefined, budget: undefined, interpreter: undefined, onClause: () => {} };
  const verdicts = async (rebuild: boolean) => {
    const verdicts: string[] = [];
    for (const step of [1, 2, 8]) {
      verdicts.push(
        (await judge({ lab, place: stale, steps: [step], interrupted: signal, rebuild, ...unset })).verdict,
      );
    }
    return verdicts;
  };
  expect(await verdicts(false)).toEqual(['passed', 'passed', 'passed']);
  expect(await verdicts(true)).toEqual(['failed', 'passed', 'passed']);
});
