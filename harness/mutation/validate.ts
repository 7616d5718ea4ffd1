import { staff } from '../messages/staff.ts';
import type { AnyLab } from '../registry.ts';
import type { Progress } from '../report/progress.ts';
import { overall } from '../report/report.ts';
import { type Confinement, plain } from '../sandbox.ts';
import type { Base, Edited } from './base.ts';
import type { Candidate, CandidateSource } from './candidates.ts';
import { canaryOf, identityOf } from './controls.ts';
import { type Equivalent, means } from './equivalents.ts';
import { killerOf, type Observation } from './fate.ts';
import type { Job, Plan } from './job.ts';
import type { Journal } from './journal.ts';
import { baselineResult, type MutantTrial, mutantResults, type Trial } from './results.ts';
import { type BaselineResult, isAsItShouldBe, type MutantResult, type Validation } from './validation.ts';
import type { Worker } from './workers.ts';

export interface ValidationOptions {
  readonly lab: AnyLab;
  /** The correct submissions that mutants are made of. */
  readonly bases: readonly Base[];
  /** Others that have to pass. */
  readonly variants: readonly Base[];
  /** Where mutants come from. */
  readonly sources: readonly CandidateSource[];
  readonly equivalents: readonly Equivalent[];
  readonly seeds: readonly number[];
  /** A mutant's own step only, up to the first failure; correct submissions with few cases. */
  readonly quick: boolean;
  /** Which of the mutants. */
  readonly wanted: (candidate: Candidate) => boolean;
  /** Bases in TypeScript are trusted: they run in the worker's own process. */
  readonly inProcess: boolean;
  readonly interpreter: string;
  /** Of submissions that run as a learner's do. Mutants are ours: they run as plain processes. */
  readonly confinement: Confinement;
  /** Each does one job at a time. They are the caller's to close. */
  readonly workers: readonly Worker[];
  readonly journal: Journal;
  readonly interrupted: AbortSignal;
  readonly progress: Progress;
}

/** Shares of a clause's cases: on the first seed, and on each other. */
interface Shares {
  readonly first: number;
  readonly other: number;
}

/** For references and variants, which run as a learner's do; on the first seed the identity mutants have all. */
const correctShares: Shares = { first: 0.2, other: 0.1 };
const quickShares: Shares = { first: 0.05, other: 0.05 };

/** For listed equivalents: that they survive has a reason. */
const equivalentShares: Shares = { first: 0.2, other: 0.03 };

/** First the correct submissions, then, if all of them passed and the canaries died, the mutants. */
export async function validate(options: ValidationOptions): Promise<Validation> {
  const started = performance.now();
  const { lab, seeds, bases } = options;
  const run = new ValidationRun(options);
  const baseline = await run.baseline();
  const canaries = await run.mutants(bases.map(canaryOf));
  const believed = baseline.every(({ verdict }) => verdict === 'passed') && canaries.every(isAsItShouldBe);
  const candidates = bases.flatMap((base) => options.sources.flatMap((source) => source(base)));
  const mutants = believed ? await run.mutants(candidates.filter(options.wanted)) : [];
  const all = [...canaries, ...mutants];
  return {
    schemaVersion: 1,
    lab: lab.id,
    verdict: verdictOf(baseline, all),
    seeds,
    seconds: (performance.now() - started) / 1000,
    steps: lab.steps.map(({ number, title }) => ({ step: number, title })),
    baseline,
    mutants: all,
  };
}

function verdictOf(
  baseline: readonly BaselineResult[],
  mutants: readonly MutantResult[],
): Validation['verdict'] {
  const ofMutants = mutants.map((mutant) => {
    if (mutant.status === 'undecided') return 'undecided';
    return isAsItShouldBe(mutant) ? 'passed' : 'failed';
  });
  const verdict = overall([...baseline.map(({ verdict }) => verdict), ...ofMutants]);
  return verdict === 'skipped' ? 'undecided' : verdict;
}

class ValidationRun {
  readonly #options: ValidationOptions;

  constructor(options: ValidationOptions) {
    this.#options = options;
  }

  async baseline(): Promise<readonly BaselineResult[]> {
    const { bases, variants, quick, confinement } = this.#options;
    const shares = quick ? quickShares : correctShares;
    const identities = bases.map((base) => ({
      ...{ name: `identity/${base.language}`, inProcess: this.#options.inProcess, confinement: plain },
      ...{ shares: quick ? shares : { ...shares, first: 1 }, ...trialOf(base, identityOf(base).edited) },
    }));
    const correct = [...bases, ...variants].map((base) => ({
      ...{ name: base.name, inProcess: false, confinement, shares, ...trialOf(base, {}) },
    }));
    const trials = [...identities, ...correct];
    const seeds = [...this.#options.seeds.keys()];
    const jobs = trials.flatMap((trial) =>
      this.#jobs(trial, seeds, (index) => correctPlan(trial.shares, index), trial),
    );
    await this.#all('baseline', jobs);
    return trials.map(({ name, observations }) => baselineResult(name, observations, this.#options.seeds));
  }

  /** The first seed goes before the others: they ask the clause first that killed there. */
  async mutants(candidates: readonly Candidate[]): Promise<readonly MutantResult[]> {
    const trials = candidates.map(
      (candidate): MutantTrial => ({ candidate, ...trialOf(candidate.base, candidate.edited) }),
    );
    const fit = trials.filter(({ candidate }) => !candidate.unfit);
    const { inProcess } = this.#options;
    const [first = 0, ...others] = this.#options.seeds.keys();
    const jobs = (seeds: readonly number[]) =>
      fit.flatMap((trial) =>
        this.#jobs(trial, seeds, (index) => this.#planOf(trial, index), { inProcess, confinement: plain }),
      );
    await this.#all('mutants', jobs([first]));
    if (others.length > 0) await this.#all('mutants', jobs(others));
    return mutantResults(this.#options, trials);
  }

  #planOf({ candidate, observations: [first] }: MutantTrial, index: number): Plan {
    const { quick, equivalents } = this.#options;
    const { clause } = candidate;
    if (clause !== undefined) return { kind: 'targeted', clause, extent: extentOf(index, quick) };
    if (equivalents.some((entry) => means(entry, candidate))) return correctPlan(equivalentShares, index);
    return { kind: 'any', killer: first && killerOf(first) };
  }

  /** A job for each seed, by its index. */
  #jobs(
    trial: Trial,
    seeds: readonly number[],
    planOf: (index: number) => Plan,
    { inProcess, confinement }: Pick<Job, 'inProcess' | 'confinement'>,
  ): readonly Task[] {
    const { lab, interpreter } = this.#options;
    const { base, edited } = trial;
    return seeds.map((index) => {
      const seed = this.#options.seeds[index] ?? 0;
      return {
        job: () => ({
          lab: lab.id,
          base,
          edited,
          seed,
          interpreter,
          inProcess,
          confinement,
          plan: planOf(index),
        }),
        done: (observation) => {
          trial.observations[index] = observation;
        },
      };
    });
  }

  /** Does the jobs, as many at a time as there are workers. What is cut short by an interruption is not observed. */
  async #all(part: 'baseline' | 'mutants', tasks: readonly Task[]): Promise<void> {
    const { workers, journal, interrupted, progress } = this.#options;
    const queue = [...tasks];
    progress.begin(staff.validation.parts[part], queue.length);
    const work = async (worker: Worker) => {
      for (let task = queue.shift(); task && !interrupted.aborted; task = queue.shift()) {
        const job = task.job();
        const known = journal.known(job);
        const observation = known ?? (await worker.run(job));
        if (interrupted.aborted) return;
        if (!known && observation.ended?.status !== 'undecided') journal.add(job, observation);
        task.done(observation);
        progress.done();
      }
    };
    try {
      await Promise.all(workers.map(work));
    } finally {
      progress.end();
    }
  }
}

interface Task {
  /** Made when it is begun: what came before may say what to ask first. */
  readonly job: () => Job;
  readonly done: (observation: Observation) => void;
}

function trialOf(base: Base, edited: Edited): Trial {
  return { base, edited, observations: [] };
}

function correctPlan({ first, other }: Shares, index: number): Plan {
  const upTo = (seeds: number) => (seeds === 0 ? 0 : first + (seeds - 1) * other);
  return { kind: 'correct', from: upTo(index), to: upTo(index + 1) };
}

/** On other seeds than the first only a kill by the same clause is looked for. */
function extentOf(index: number, quick: boolean): 'clause' | 'step' | 'all steps' {
  if (index > 0) return 'clause';
  return quick ? 'step' : 'all steps';
}
