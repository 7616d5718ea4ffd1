import fc from 'fast-check';
import { afterAll, describe, expect, test, vi } from 'vitest';
import type { Bench } from '../harness/bench.ts';
import { clause, expectSame, type Lab, step } from '../harness/contract.ts';
import type { ClauseReport } from '../harness/report/report.ts';
import { newPlaces } from '../harness/scratch.ts';
import { verifyClause } from '../harness/verify.ts';
import { ample, type Case, Workshop } from './submissions.ts';

/* How the cases of a clause are run: together first, and alone where that leaves a doubt. */

const workshop = new Workshop();
afterAll(() => workshop.remove());

type Predicate = (bench: Bench, drawn: { readonly n: number }) => Promise<void>;

async function verify({ subject }: Case, runs: number, predicate: Predicate): Promise<ClauseReport> {
  const steps = [step(1, 'one', { '1.1 it holds': clause({ n: fc.nat() }, predicate) })];
  const lab: Lab<Bench, undefined> = {
    ...{ id: 'lab', title: 'Lab', kind: 'functions', entry: 'service', home: '/', budget: 60, steps },
    prepare: async () => undefined,
    open: (bench) => bench,
  };
  const [only] = steps[0]?.clauses ?? [];
  if (!only) throw new Error('no clause');
  const deadline = performance.now() + 3 * ample;
  return verifyClause(lab, only, subject, undefined, {
    ...{ entry: 'service.py', seed: 1, runs, places: newPlaces(workshop.folder), share: deadline },
    limits: { call: ample, deadline },
    interrupted: new AbortController().signal,
  });
}

const call = (name: string) => ({ process: 0, name, args: [] });

test('a clock that somebody sets while cases run changes nothing', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    let years = 0;
    const report = await verify(workshop.python('def f(): return 1\n'), 50, async (bench) => {
      years = years > 0 ? -100 : 100;
      vi.setSystemTime(new Date(2026 + years, 0));
      expectSame(await bench.call(call('f')), 1n);
    });
    expect([report.verdict, report.cases, report.seconds < 60]).toEqual(['passed', 50, true]);
  } finally {
    vi.useRealTimers();
  }
});

describe('the cases of a clause', () => {
  const source = `
import os
def pid(): return os.getpid()
`;

  test('share a process, which another replaces after a hundred', async () => {
    const pids = new Map<unknown, number>();
    const report = await verify(workshop.python(source), 210, async (bench) => {
      const outcome = await bench.call(call('pid'));
      const pid = outcome.status === 'returned' ? outcome.value : undefined;
      pids.set(pid, (pids.get(pid) ?? 0) + 1);
    });
    expect([report.verdict, report.cases]).toEqual(['passed', 210]);
    expect([...pids.values()]).toEqual([100, 100, 10]);
  });

  test('are under way several at once', async () => {
    let now = 0;
    let most = 0;
    const subject = workshop.python(source);
    await verify(subject, 50, async (bench) => {
      now += 1;
      most = Math.max(most, now);
      await bench.call(call('pid'));
      now -= 1;
    });
    expect(most).toBe(subject.subject.sessions);
  });

  test('do not fail by what another case has left in the process', async () => {
    const marked = `
import sys
sys.loads = getattr(sys, "loads", 0) + 1
loads = sys.loads
def first(): return loads == 1
`;
    const report = await verify(workshop.python(marked), 20, async (bench) =>
      expectSame(await bench.call(call('first')), true),
    );
    expect([report.verdict, report.cases]).toEqual(['passed', 20]);
  });

  test('that fail alone, too, fail the clause, by the first of them made smaller', async () => {
    const report = await verify(workshop.python(source), 100, async (bench, { n }) => {
      const outcome = await bench.call(call('pid'));
      if (n > 1000) expectSame(outcome, 'another');
    });
    expect([report.verdict, report.failure?.kind, report.failure?.seed]).toEqual(['failed', 'contract', 1]);
    expect(Number(report.failure?.path?.split(':')[0])).toBe(report.cases - 1);
    expect(report.failure?.shrinks).toBeGreaterThan(0);
  });
});
