import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Clause } from '../contract.ts';
import type { AnyLab } from '../registry.ts';
import type { ClauseReport } from '../report/report.ts';
import { GraderFault, SubjectFailure } from '../subject/subject.ts';
import { type Base, type Edited, writeSubmission } from './base.ts';
import { Examiner, type Question } from './examiner.ts';
import { type Observation, stepOf } from './fate.ts';

/** One submission, on one seed. Plain data: threads are told it. */
export interface Job {
  readonly lab: string;
  readonly base: Base;
  readonly edited: Edited;
  readonly seed: number;
  readonly inProcess: boolean;
  readonly interpreter: string;
  readonly plan: Plan;
}

/** What is asked of a submission. */
export type Plan =
  /** One that is to be correct: all clauses, up to the first failure. */
  | { readonly kind: 'correct'; readonly runs?: number }
  /** A mutant of which is known what has to catch it. */
  | { readonly kind: 'targeted'; readonly clause: string; readonly extent: 'clause' | 'step' | 'all steps' }
  /** A mutant that anything may catch; `first` has caught its like, or it itself on another seed. */
  | { readonly kind: 'any'; readonly first?: string | undefined };

/**
 * Cases a clause, of steps that are not a mutant's own. They show that these steps do not mind: what breaks a step's
 * contract altogether breaks it in one of these.
 */
const fewCases = 3;

/** Milliseconds for which the case that killed is made smaller. The learner's runs have more. */
const shrinkTime = 1_000;

const full: Question = { shrinkTime };
const few: Question = { runs: fewCases, shrinkTime: 0 };

/** Where jobs are done. */
export interface Surroundings {
  readonly lab: AnyLab;
  /** A folder that is this job's own. */
  readonly folder: string;
  readonly interrupted: AbortSignal;
  /** Told of each report as it comes. */
  readonly onReport: (report: ClauseReport) => void;
}

/** Asks what the plan says. Resolves with why it could not ask all, if so; the reports have been told. */
export async function perform(job: Job, surroundings: Surroundings): Promise<Observation['ended']> {
  const { lab, folder, interrupted } = surroundings;
  const { base, edited, seed, inProcess, interpreter } = job;
  const copy = path.join(folder, 'submission');
  mkdirSync(copy, { recursive: true });
  const submission = writeSubmission(lab, base, edited, copy, interpreter);
  const examiner = new Examiner({
    ...{ lab, submission, seed, folder, interrupted, edited: Object.keys(edited) },
    inProcess: inProcess && base.language === 'typescript',
  });
  try {
    await new Inquiry(surroundings, examiner).follow(job.plan);
    return undefined;
  } catch (error) {
    if (error instanceof SubjectFailure) return { status: 'stillborn', detail: error.detail };
    return { status: 'undecided', detail: (error as Error).message };
  } finally {
    await examiner.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The order in which clauses are asked, and when to stop. */
class Inquiry {
  readonly #surroundings: Surroundings;
  readonly #examiner: Examiner;

  constructor(surroundings: Surroundings, examiner: Examiner) {
    this.#surroundings = surroundings;
    this.#examiner = examiner;
  }

  follow(plan: Plan): Promise<unknown> {
    switch (plan.kind) {
      case 'correct':
        return this.#untilOneFails(this.#clauses(), { runs: plan.runs, shrinkTime });
      case 'targeted':
        return this.#targeted(plan.clause, plan.extent);
      case 'any':
        return this.#any(plan.first);
    }
  }

  /** The target first: most often it settles the matter. */
  async #targeted(clause: string, extent: 'clause' | 'step' | 'all steps'): Promise<void> {
    const step = stepOf(clause);
    const killed = await this.#asksThoroughly(clause, extent === 'clause' ? { shrinkTime: 0 } : full);
    if (extent === 'clause' || (extent === 'step' && killed)) return;
    for (const { id } of this.#clauses((number) => number === step))
      if (id !== clause) await this.#ask(id, full);
    if (extent === 'step') return;
    for (const { id } of this.#clauses((number) => number !== step)) await this.#ask(id, few);
  }

  /** A few cases a clause find most mutants; only what survives these is asked all. */
  async #any(first: string | undefined): Promise<void> {
    if (first && (await this.#ask(first, full))) return;
    for (const { number } of this.#surroundings.lab.steps) {
      const clauses = this.#clauses((each) => each === number);
      if (await this.#untilOneFails(clauses, { ...full, runs: fewCases })) return;
    }
    for (const { id } of this.#clauses()) if (await this.#asksThoroughly(id, full)) return;
  }

  async #untilOneFails(clauses: readonly Clause<unknown>[], question: Question): Promise<boolean> {
    for (const { id } of clauses) if (await this.#ask(id, question)) return true;
    return false;
  }

  #clauses(of: (step: number) => boolean = () => true): readonly Clause<unknown>[] {
    return this.#surroundings.lab.steps.filter(({ number }) => of(number)).flatMap(({ clauses }) => clauses);
  }

  /** Whether it failed, by processes of its own where only these can show it. */
  async #asksThoroughly(clause: string, question: Question): Promise<boolean> {
    if (await this.#ask(clause, question)) return true;
    if (!this.#examiner.missedSameMoment) return false;
    return this.#tell(await this.#examiner.askByProcesses(clause, question));
  }

  async #ask(clause: string, question: Question): Promise<boolean> {
    return this.#tell(await this.#examiner.ask(clause, question));
  }

  #tell(report: ClauseReport): boolean {
    if (report.verdict === 'undecided') throw new GraderFault(`${report.id}: ${report.fault}`);
    this.#surroundings.onReport(report);
    return report.verdict === 'failed';
  }
}
