import type { MutantStatus, SourceChange } from '../mutation/validation.ts';
import type { Verdict } from '../report/report.ts';

/** What is said to those who run and write the checks: English alone. What a learner reads is in the folders beside this. */
export const staff = {
  verdicts: {
    passed: 'passed',
    failed: 'failed',
    undecided: 'undecided',
    skipped: 'skipped',
  } satisfies Record<Verdict, string>,

  /** Of the time that something takes. */
  left: (time: string) => `${time} left`,

  pretty: {
    seconds: (seconds: number) => `${seconds.toFixed(2)} s`,
  },

  /** The results of a class as a page. */
  classReport: {
    title: (lab: string) => `Class report of ${lab}`,
    noScript: 'Without JavaScript cells open nothing, and the rows keep their order.',
    submissions: 'submissions',
    submission: 'submission',
    unjudged: 'could not be judged',
    unjudgedMeans:
      'A fault of the grader or of the machine, and no result of theirs. The same command tries them again.',
    when: 'graded',
    version: 'version',
    changes: 'Whose verdict changed',
    noChange: 'No verdict changed.',
    changeHeads: ['submission', 'verdict', 'steps and clauses', 'because'],
    because: {
      submission: 'the submission is another',
      checks: 'the checks are others',
      options: 'the options are others',
      unknown: 'nothing that is known',
    },
    map: 'Submissions and steps',
    searchIn: 'name',
    shown: '{shown} of {all} submissions',
    passedSteps: 'passed',
    passedShare: 'passed by',
    seconds: 's',
    clauses: 'How often each clause fails',
    nothingFails: 'No clause fails.',
    failedOf: (failed: number, all: number) => `${failed} of ${all} (${Math.round((100 * failed) / all)} %)`,
    smallestOf: (name: string, cause: string | null) =>
      `The smallest counterexample, of ${name}${cause ? `; its cause: ${cause}` : ''}.`,
    alike: 'Submissions that fail alike',
    alone: (count: number) =>
      `${count === 1 ? '1 submission fails' : `${count} submissions fail`} like no other`,
    count: (submissions: number) => `${submissions} ${submissions === 1 ? 'submission' : 'submissions'}:`,
    more: (count: number) => ` and ${count} more`,
  },

  /** The kill matrix as a page. */
  matrix: {
    title: (lab: string) => `Kill matrix of ${lab}`,
    noScript: 'Without JavaScript the table is all there is: cells open nothing.',
    verdict: 'verdict',
    mutants: 'mutants',
    baseline: 'correct submissions',
    baselineIs:
      'References, unusual but correct variants, and the reference with a comment more: all have to pass.',
    seeds: 'seeds',
    time: 'time',
    of: (part: number, all: number) => `${part} of ${all}`,
    onSeed: (seed: number) => `on seed ${seed}`,
    passedOn: (passed: number, all: number) => `passed on ${passed} of ${all} seeds`,
    killedOn: (killed: number, all: number) => `on ${killed} of ${all} seeds`,
    step: (step: number) => `step ${step}`,
    mutant: 'mutant',
    why: 'what is wrong with it',
    search: 'search',
    searchIn: 'name, clause or reason',
    status: 'status',
    origin: 'origin',
    language: 'language',
    all: 'all',
    reset: 'reset',
    shown: '{shown} of {all} mutants',
    close: 'close',
    copy: 'copy',
    copied: 'copied',
    selected: 'selected, to be copied',
    needs: 'It loads the code from where that was judged: name the folder of a copy with the change made.',
    opens: (mutant: string, step: number, mark: string, clauses: string) =>
      `${mutant}, step ${step}: ${mark}, ${clauses}`,
    marks: {
      killed: 'killed',
      survived: 'survived the step that has to catch it',
      elsewhere: 'killed elsewhere than it has to be',
      crash: 'crash',
      timeout: 'no answer in time',
      stillborn: 'does not load',
      undecided: 'could not be judged',
      passed: 'passed',
      skipped: 'not asked',
    },
    groups: {
      killed: 'killed',
      survived: 'survived',
      flaky: 'flaky',
      'killed elsewhere': 'killed elsewhere',
      crash: 'crashed',
      timeout: 'timed out',
      stillborn: 'stillborn',
      invalid: 'invalid',
      equivalent: 'equivalent',
      undecided: 'undecided',
      canary: 'canary',
    } satisfies Record<MutantStatus | 'canary', string>,
    means: {
      killed: 'by a broken contract in its own step, on every seed',
      survived: 'no clause noticed',
      flaky: 'killed on some seeds only',
      'killed elsewhere': 'by another step or clause than the one that has to',
      crash: 'a process ended: what was meant to be wrong was not put to the test',
      timeout: 'a call never returned: what was meant to be wrong was not put to the test',
      stillborn: 'it does not load',
      invalid: 'it could not be made',
      equivalent: 'listed with a reason, and seen to survive',
      undecided: 'it could not be judged',
      canary: 'wrong beyond doubt: a run in which it lives says nothing about the others',
    } satisfies Record<MutantStatus | 'canary', string>,
  },

  /** All mutants in the app of Mutation Testing Elements. */
  elements: {
    title: 'Mutants of the labs',
    noScript: 'This report needs JavaScript.',
    alsoChanges: ({ file, start, original, replacement }: SourceChange) =>
      `It also changes ${file}:${start.line}: ${original} → ${replacement}`,
    reason: (status: string, means: string, detail: string) =>
      `${status}: ${means}${detail && `. ${detail}`}`,
    differs: (file: string) => `${file} has changed since the other report was made; make that one again`,
  },

  validation: {
    baseline: (passed: number, all: number, seeds: number) =>
      `${passed} of ${all} correct submissions pass every step on ${seeds === 1 ? 'the seed' : `all ${seeds} seeds`}`,
    notBelieved: 'A correct submission is rejected, or a canary lives: nothing else was asked.',
    notJudged: 'Not all of the correct submissions were judged: nothing else was asked.',
    wrong: (id: string, language: string, status: string) => `${id} (${language}): ${status}`,
    mutants: (origin: string, language: string) => `${origin}, ${language}`,
    killedOn: (killed: number, seeds: number) => `killed on ${killed} of ${seeds} seeds`,
    saw: (clause: string, kind: string, got: string) => `${clause} (${kind}): ${got}`,
    rejected: (name: string, clause: string, seed: number, got: string) =>
      `${name}: rejected by ${clause} on seed ${seed}: ${got}`,
    unjudged: (name: string, fault: string) => `${name}: ${fault}`,
    summary: (lab: string, verdict: string, killed: number, mutants: number, seconds: number) =>
      `${lab}: ${verdict}. ${killed} of ${mutants} mutants killed in ${seconds.toFixed(1)} s`,
    parts: { baseline: 'correct submissions', mutants: 'mutants' },
    goOn: (file: string | undefined) =>
      file
        ? `the same command goes on from ${file}`
        : 'with --resume FILE what is done is kept for the next time',
  },

  mutationReport: {
    noValidation: "name a file written by 'labcheck validate LAB --format json --output FILE'",
    noElements: 'name a report in the schema of Mutation Testing Elements, as Stryker writes it',
  },

  sandboxRequired: (reason: string) =>
    `--require-sandbox: bubblewrap does not work here (${reason}); install it (Debian: bubblewrap), or allow user namespaces`,
  rebuildNeedsSandbox: (reason: string) =>
    `--rebuild: bubblewrap does not work here (${reason}); install it (Debian: bubblewrap), or leave it out`,
  noSqlite: (node: string, reason: string) =>
    `better-sqlite3 does not work by Node ${node}; use the version that it was installed by, or install it anew (${reason})`,
  ownFault: 'a fault of the grader itself, not of the submission; please report it',
};

export type Messages = typeof staff;
