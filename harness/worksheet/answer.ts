import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { grade } from '../grade.ts';
import { callLimitOf, type Run } from '../lane.ts';
import type { Texts } from '../messages/texts.ts';
import { type Base, type Edited, writeSubmission } from '../mutation/base.ts';
import { rebuildConfinement, rebuilt } from '../rebuild.ts';
import type { AnyLab } from '../registry.ts';
import { type ClauseReport, type FailureReport, toldFor } from '../report/report.ts';
import { plain } from '../sandbox.ts';
import type { Submission } from '../subject/submission.ts';
import type { Exercise } from './exercises.ts';
import { type Replayed, replay } from './replay.ts';

/** What the suite says of an exercise. */
export type Answer =
  | ({ readonly status: 'noticed'; readonly report: ClauseReport } & Replayed)
  | { readonly status: 'unnoticed'; readonly cases: number }
  | { readonly status: 'undecided'; readonly fault: string };

/** Where submissions are judged, and by which Python. */
export interface Workplace {
  readonly folder: string;
  readonly interpreter: string;
  readonly texts: Texts;
  readonly interrupted: AbortSignal;
}

/** Seed of all worksheets: everybody who gives the same answer sees the same counterexample. */
const seed = 1;

/** Puts the wrong fragment to the test, by the step that has to catch it. */
export async function answerOf(
  lab: AnyLab,
  { step, candidate }: Exercise,
  workplace: Workplace,
): Promise<Answer> {
  const { base, edited, clause: due } = candidate;
  if (lab.products?.[step.number] && !rebuildConfinement(lab.budget)) {
    return { status: 'undecided', fault: workplace.texts.say('worksheet', 'noSandbox') };
  }
  const run = await runOf(lab, step.number, base, edited, workplace);
  const reports = await asked(lab, step.number, run, workplace);
  const failed = reports.filter(({ failure }) => failure);
  const report = failed.find(({ id }) => id === due) ?? failed[0];
  if (report?.failure) {
    const clause = step.clauses.find(({ id }) => id === report.id);
    const again = clause && (await replay(lab, clause, run, report.failure, workplace.texts));
    const { failure, state } = again ?? { failure: report.failure, state: undefined };
    return { status: 'noticed', report, failure: told(failure, run.submission.entry), state };
  }
  const fault = reports.find(({ verdict }) => verdict === 'undecided')?.fault;
  if (fault) return { status: 'undecided', fault };
  return { status: 'unnoticed', cases: reports.reduce((sum, { cases }) => sum + cases, 0) };
}

/** The failure as it is told here: without what is gone with the mutant, or was the question. */
function told(failure: FailureReport, entry: string): FailureReport {
  const folder = `${path.dirname(entry)}${path.sep}`;
  const bare = (text: string) => text.replaceAll(folder, '');
  const { story } = toldFor(failure);
  const moments = story.moments.map((moment) => ({ ...moment, text: bare(moment.text) }));
  return {
    ...failure,
    calls: failure.calls.map(bare),
    learner: { story: { ...story, moments }, reproduce: '' },
    hint: '',
    hintKey: null,
  };
}

/** Whether the submission passes the step as it is: only then does a failure show what the fragment does. */
export async function passes(lab: AnyLab, step: number, base: Base, workplace: Workplace): Promise<boolean> {
  const run = await runOf(lab, step, base, {}, workplace);
  return (await asked(lab, step, run, workplace)).every(({ verdict }) => verdict === 'passed');
}

async function asked(
  lab: AnyLab,
  step: number,
  { submission, folder }: Pick<Run, 'submission' | 'folder'>,
  { interrupted }: Workplace,
): Promise<readonly ClauseReport[]> {
  const { budget } = lab;
  const options = { lab: lab.id, steps: [step], submission, seed, budget, threads: 1, folder, interrupted };
  return (await grade({ ...options, confinement: plain })).flatMap(({ clauses }) => clauses);
}

/** The edited base, written out; what the step's script makes is made anew. */
async function runOf(
  lab: AnyLab,
  step: number,
  base: Base,
  edited: Edited,
  { folder, interpreter }: Workplace,
): Promise<Omit<Run, 'runs'>> {
  const place = mkdtempSync(path.join(folder, 'worksheet-'));
  const written = writeSubmission(lab, base, edited, path.join(place, 'submission'), interpreter);
  const product = lab.products?.[step];
  const submission: Submission = product
    ? await rebuilt(written, product, lab, path.join(place, 'rebuilt'), rebuildConfinement(lab.budget))
    : written;
  const callLimit = callLimitOf(lab.budget);
  return { lab: lab.id, submission, folder: place, seed, callLimit, confinement: plain };
}
