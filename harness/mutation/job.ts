import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type Clause, type ClauseOptions, defaultCases } from '../contract.ts';
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
  /** One that is to keep the contract: that share of the cases of all clauses, up to the first failure. */
  | { readonly kind: 'correct'; readonly share: number }
  /** A mutant of which is known what has to catch it. */
  | { readonly kind: 'targeted'; readonly clause: string; readonly extent: 'clause' | 'step' | 'all steps' }
  /**
   * A mutant that anything may catch. `killer` has, on another seed. `late` have caught others that a few cases let
   * pass: a clause for each of these, however often.
   */
  | { readonly kind: 'any'; readonly killer?: string | undefined; readonly late: readonly string[] };

/** How a clause is asked: by which share of its cases, at least one. */
interface Depth {
  readonly share: number;
  /** Milliseconds for which the case that failed is made smaller. The learner's runs have more. */
  readonly shrinkTime: number;
}

const full: Depth = { share: 1, shrinkTime: 500 };

/** Where another seed has shown the failure. */
const unshrunk: Depth = { ...full, shrinkTime: 0 };

/** Three of a hundred cases: what breaks a contract altogether breaks it in one of these. */
export const fewCases = 0.03;

/** They show that a step does not mind. */
const few: Depth = { share: fewCases, shrinkTime: 0 };

/** Where jobs are done. */
export interface Surroundings {
  readonly lab: AnyLab;
  /** Where the job has a folder of its own, as long as it lasts. */
  readonly folder: string;
  readonly interrupted: AbortSignal;
  /** Told of each report as it comes. */
  readonly onReport: (report: ClauseReport) => void;
}

/** Asks what the plan says. Resolves with why it could not ask all, if so; the reports have been told. */
export async function perform(job: Job, surroundings: Surroundings): Promise<Observation['ended']> {
  const { lab, interrupted } = surroundings;
  const { base, edited, seed, inProcess, interpreter } = job;
  const folder = mkdtempSync(path.join(surroundings.folder, 'job-'));
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
        return this.#correct({ ...full, share: plan.share });
      case 'targeted':
        return this.#targeted(plan.clause, plan.extent);
      case 'any':
        return this.#any(plan.killer, plan.late);
    }
  }

  /** The target first: most often it settles the matter, and steps after it have nothing to add. */
  async #targeted(target: string, extent: 'clause' | 'step' | 'all steps'): Promise<void> {
    const step = stepOf(target);
    const [clause] = this.#clauses(({ id }) => id === target);
    if (!clause) throw new RangeError(`no clause ${target}`);
    const killed = await this.#asksThoroughly(clause, extent === 'clause' ? unshrunk : full);
    if (extent === 'clause' || (extent === 'step' && killed)) return;
    const beside = this.#clauses(({ id }) => stepOf(id) === step && id !== target);
    for (const each of beside) await this.#ask(each, killed ? few : full);
    if (extent === 'step') return;
    const others = this.#clauses(({ id }) => (killed ? stepOf(id) < step : stepOf(id) !== step));
    for (const each of others) await this.#ask(each, few);
  }

  async #correct(depth: Depth): Promise<void> {
    for (const each of this.#clauses()) if (await this.#asksThoroughly(each, depth)) return;
  }

  /** A few cases a clause find most mutants; only what survives these is asked all, the likeliest clause first. */
  async #any(killer: string | undefined, late: readonly string[]): Promise<void> {
    const depth = killer === undefined ? full : unshrunk;
    for (const each of this.#clauses(({ id }) => id === killer))
      if (await this.#asksThoroughly(each, depth)) return;
    const quickly = { ...depth, share: fewCases };
    for (const each of this.#clauses()) if (await this.#ask(each, quickly)) return;
    const more = this.#clauses(({ options }) => casesOf(options, depth) > casesOf(options, quickly));
    const kills = ({ id }: Clause<unknown>) => late.filter((each) => each === id).length;
    for (const each of more.sort((a, b) => kills(b) - kills(a)))
      if (await this.#asksThoroughly(each, depth)) return;
  }

  #clauses(wanted: (clause: Clause<unknown>) => boolean = () => true): Clause<unknown>[] {
    return this.#surroundings.lab.steps.flatMap(({ clauses }) => clauses).filter(wanted);
  }

  /** Whether it failed, by processes of its own where only these can show it. */
  async #asksThoroughly(clause: Clause<unknown>, depth: Depth): Promise<boolean> {
    if (await this.#ask(clause, depth)) return true;
    if (!this.#examiner.missedSameMoment) return false;
    return this.#tell(await this.#examiner.askByProcesses(clause.id, questionOf(clause, depth)));
  }

  async #ask(clause: Clause<unknown>, depth: Depth): Promise<boolean> {
    return this.#tell(await this.#examiner.ask(clause.id, questionOf(clause, depth)));
  }

  #tell(report: ClauseReport): boolean {
    if (report.verdict === 'undecided') throw new GraderFault(`${report.id}: ${report.fault}`);
    this.#surroundings.onReport(report);
    return report.verdict === 'failed';
  }
}

function questionOf({ options }: Clause<unknown>, depth: Depth): Question {
  return { runs: casesOf(options, depth), shrinkTime: depth.shrinkTime };
}

function casesOf({ cases = defaultCases }: ClauseOptions, { share }: Depth): number {
  return Math.ceil(share * cases);
}
