import type { FailureKind, Verdict } from '../report/report.ts';

/** What is said to a person, in English. Another language is another file with the same keys. */
export const en = {
  verdicts: {
    passed: 'passed',
    failed: 'failed',
    undecided: 'undecided',
    skipped: 'skipped',
  } satisfies Record<Verdict, string>,

  /** What a clause that gave no outcome was expected to do. */
  expectedInstead: {
    contract: '',
    crash: 'a process that goes on',
    timeout: 'an answer',
    budget: 'enough cases within the time of a step',
    missing: 'the function',
    load: 'a submission that can be loaded',
  } satisfies Record<FailureKind, string>,

  /** What leads on, where the clause itself has nothing to say. */
  hints: {
    contract: '',
    crash: 'a call must come back, by a value or an exception',
    timeout: 'look for a loop that does not end, or a lock that is waited for and never freed',
    budget: 'every case takes long: look for sleeps, and for work that grows with each call',
    missing: 'the name and the file must be those of the lab text',
    load: 'run the file by itself',
  } satisfies Record<FailureKind, string>,

  /** What stands for more than one value. */
  terms: {
    anything: 'any value, and no exception',
    refusal: "an exception, and not one of the database driver's",
    or: '\n    or ',
  },

  pretty: {
    cases: (count: number) => (count === 1 ? '1 case' : `${count} cases`),
    seconds: (seconds: number) => `${seconds.toFixed(2)} s`,
    given: 'the table before',
    givenNothing: '(empty)',
    calls: 'what was done',
    expected: 'expected',
    got: 'got',
    hint: 'hint',
    seed: 'seed',
    found: (seed: number, path: string, shrinks: number) =>
      `${seed}, case ${path}, made smaller ${shrinks} times`,
    reproducer: 'a script that shows it',
    summary: (verdict: string, lab: string, cases: number, seconds: number, seed: number) =>
      `${lab}: ${verdict}. ${cases} cases in ${seconds.toFixed(1)} s (${Math.round(cases / seconds)} a second), seed ${seed}`,
    fault: (fault: string) => `could not be judged: ${fault}`,
  },

  noEntry: 'no such file in the folder',
  noPython: 'there is no python3 on PATH; install it, or name one by --interpreter',
  ownFault: 'a fault of the grader itself, not of the submission; please report it',
  tooFewCases: (cases: number, minimum: number) => `${cases} of at least ${minimum} cases`,
  interrupted: 'interrupted',
};

export type Messages = typeof en;
