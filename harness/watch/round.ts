import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { grade, threadsFor } from '../grade.ts';
import type { Tongue } from '../messages/texts.ts';
import type { AnyLab } from '../registry.ts';
import { type ClauseReport, overall } from '../report/report.ts';
import type { Confinement } from '../sandbox.ts';
import { openTo } from '../scratch.ts';
import type { Submission } from '../subject/submission.ts';
import type { StepSoFar } from './screen.ts';

export interface Round {
  readonly lab: AnyLab;
  readonly submission: Submission;
  readonly seed: number;
  readonly tongue: Tongue;
  readonly confinement: Confinement;
  /** Where the databases of all rounds lie. */
  readonly folder: string;
  readonly groups: readonly (readonly number[])[];
  readonly interrupted: AbortSignal;
  /** Told of each step once its verdict is settled. */
  readonly onStep: (step: StepSoFar) => void;
}

/**
 * Judges the groups of steps one after the other, up to a submission that cannot be loaded: no step says more then. Resolves
 * to the steps that were judged, in the order of their verdicts.
 */
export async function runRound(
  round: Round,
): Promise<Pick<Progress, 'unloadable'> & { readonly steps: readonly StepSoFar[] }> {
  const { lab, submission, seed, tongue, confinement, interrupted } = round;
  const progress = new Progress(lab, round.onStep);
  const folder = mkdtempSync(path.join(round.folder, 'round-'));
  if (confinement.user !== undefined) openTo(folder);
  try {
    for (const steps of round.groups) {
      if (interrupted.aborted || progress.unloadable) break;
      await grade({
        ...{
          lab: lab.id,
          steps,
          submission,
          seed,
          tongue,
          budget: lab.budget,
          threads: threadsFor(steps.length),
          folder,
          confinement,
          interrupted,
        },
        onClause: (step, report) => {
          if (!interrupted.aborted) progress.add(step, report);
        },
      });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { steps: progress.settled, unloadable: progress.unloadable };
}

/** What is known of the steps of a round. */
class Progress {
  readonly settled: StepSoFar[] = [];
  /** Says why the submission cannot be loaded: then no step has a verdict of its own. */
  unloadable: ClauseReport | undefined;
  readonly #lab: AnyLab;
  readonly #onStep: (step: StepSoFar) => void;
  readonly #clauses = new Map<number, ClauseReport[]>();

  constructor(lab: AnyLab, onStep: (step: StepSoFar) => void) {
    this.#lab = lab;
    this.#onStep = onStep;
  }

  /** A failure settles a step at once, anything else with its last clause. */
  add(number: number, report: ClauseReport): void {
    const step = this.#lab.steps.find((each) => each.number === number);
    const clauses = [...(this.#clauses.get(number) ?? []), report];
    this.#clauses.set(number, clauses);
    if (report.failure?.kind === 'load' && this.#lab.kind === 'functions') this.unloadable = report;
    if (this.unloadable || !step || this.settled.some((each) => each.number === number)) return;
    if (report.verdict !== 'failed' && clauses.length < step.clauses.length) return;
    const { title } = step;
    const known = { number, title, verdict: overall(clauses.map(({ verdict }) => verdict)), clauses };
    this.settled.push(known);
    this.#onStep(known);
  }
}
