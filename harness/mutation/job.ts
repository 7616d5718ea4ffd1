import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type Clause, type ClauseOptions, defaultCases } from '../contract.ts';
import type { AnyLab } from '../registry.ts';
import type { ClauseReport } from '../report/report.ts';
import type { Confinement } from '../sandbox.ts';
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
  readonly confinement: Confinement;
  readonly plan: Plan;
}

/** What is asked of a submission. */
export type Plan =
  /**
   * One that is to keep the contract: of all clauses a share of the cases, up to the first failure. `from` have other
   * seeds had, `to` have these and this one.
   */
  | { readonly kind: 'correct'; readonly from: number; readonly to: number }
  /** A mutant of which is known what has to catch it. */
  | { readonly kind: 'targeted'; readonly clause: string; readonly extent: 'clause' | 'step' | 'all steps' }
  /** A mutant that anything may catch; `killer` has, on another seed. */
  | { readonly kind: 'any'; readonly killer?: string | undefined };

/** How a clause is asked. */
interface Depth {
  /** How many of its cases. */
  readonly part: (cases: number) => number;
  /** Milliseconds for which the case that failed is made smaller. The learner's runs have more. */
  readonly shrinkTime: number;
}

const full: Depth = { part: (cases) => cases, shrinkTime: 500 };

/** Where another seed has shown the failure. */
const unshrunk: Depth = { ...full, shrinkTime: 0 };

/** Three of a hundred cases, at least one: what breaks a contract altogether breaks it in one of these. */
const fewCases = (cases: number): number => Math.ceil(0.03 * cases);

/** They show that a step does not mind. */
const few: Depth = { part: fewCases, shrinkTime: 0 };

/** A part of the cases that a clause has on all seeds: what is less than a case each time is one from time to time. */
function between(from: number, to: number): Depth {
  return { ...full, part: (cases) => Math.ceil(to * cases) - Math.ceil(from * cases) };
}

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
  const { base, edited, seed, inProcess, interpreter, confinement } = job;
  const folder = mkdtempSync(path.join(surroundings.folder, 'job-'));
  const copy = path.join(folder, 'submission');
  mkdirSync(copy, { recursive: true });
  const submission = writeSubmission(lab, base, edited, copy, interpreter);
  const examiner = new Examiner({
    ...{ lab, submission, seed, folder, interrupted, confinement, edited: Object.keys(edited) },
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
        return this.#correct(between(plan.from, plan.to));
      case 'targeted':
        return this.#targeted(plan.clause, plan.extent);
      case 'any':
        return this.#any(plan.killer);
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
    for (const each of this.#clauses(({ options }) => casesOf(options, depth) > 0))
      if (await this.#asksThoroughly(each, depth)) return;
  }

  /**
   * A few cases a clause find most mutants. What survives these is asked all, the last steps first: they rest on the
   * others, and see more. Last come clauses of one case, some of which wait for time to pass.
   */
  async #any(killer: string | undefined): Promise<void> {
    const thorough = killer === undefined ? full : unshrunk;
    const quick = { ...thorough, part: fewCases };
    const hasMore = ({ options }: Clause<unknown>) => casesOf(options, full) > casesOf(options, few);
    const many = this.#clauses(hasMore);
    const single = this.#clauses((clause) => !hasMore(clause));
    for (const each of this.#clauses(({ id }) => id === killer))
      if (await this.#asksThoroughly(each, thorough)) return;
    for (const each of many) if (await this.#ask(each, quick)) return;
    const lastFirst = many.sort((a, b) => stepOf(b.id) - stepOf(a.id));
    for (const each of [...lastFirst, ...single]) if (await this.#asksThoroughly(each, thorough)) return;
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

function casesOf({ cases = defaultCases }: ClauseOptions, { part }: Depth): number {
  return part(cases);
}
