import type { AnyLab } from '../registry.ts';
import { overall } from '../report/report.ts';
import type { Base, Edited } from './base.ts';
import type { Candidate, CandidateSource } from './candidates.ts';
import { canaryOf, identityOf } from './controls.ts';
import { type Equivalent, means } from './equivalents.ts';
import { killerOf, lateKillerOf, type Observation } from './fate.ts';
import { fewCases, type Job, type Plan } from './job.ts';
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
  /** Each does one job at a time. They are the caller's to close. */
  readonly workers: readonly Worker[];
  readonly journal: Journal;
  readonly interrupted: AbortSignal;
  readonly progress: Progress;
}

/** Told how far it is. */
export interface Progress {
  begin(part: 'baseline' | 'mutants', jobs: number): void;
  done(): void;
  end(): void;
}

/**
 * The share of a clause's cases that references and variants are asked, which run as a learner's do: twenty of a
 * hundred. The identity mutants, which run as mutants do, are asked all.
 */
const correctShare = { usual: 0.2, quick: 0.05 };

/** The share of the cases that a listed equivalent is asked, on the first seed and on others: it has a reason to survive. */
const equivalentShare = { first: 0.2, other: fewCases };

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
  /** Clauses that killed mutants which a few cases let pass: their like often die by the same. */
  readonly #lateKillers: string[] = [];

  constructor(options: ValidationOptions) {
    this.#options = options;
  }

  async baseline(): Promise<readonly BaselineResult[]> {
    const { bases, variants, quick } = this.#options;
    const learners: Plan = { kind: 'correct', share: quick ? correctShare.quick : correctShare.usual };
    const thorough: Plan = quick ? learners : { kind: 'correct', share: 1 };
    const identities = bases.map((base) => ({
      ...{ name: `identity/${base.language}`, plan: thorough, inProcess: this.#options.inProcess },
      ...trialOf(base, identityOf(base).edited),
    }));
    const correct = [...bases, ...variants].map((base) => ({
      ...{ name: base.name, plan: learners, inProcess: false },
      ...trialOf(base, {}),
    }));
    const trials = [...identities, ...correct];
    const seeds = [...this.#options.seeds.keys()];
    const jobs = trials.flatMap((trial) => this.#jobs(trial, seeds, () => trial.plan, trial.inProcess));
    await this.#all('baseline', jobs);
    return trials.map(({ name, observations }) => baselineResult(name, observations, this.#options.seeds));
  }

  /** The first seed goes before the others: they ask the clause first that killed there. */
  async mutants(candidates: readonly Candidate[]): Promise<readonly MutantResult[]> {
    const trials = candidates.map(
      (candidate): MutantTrial => ({ candidate, ...trialOf(candidate.base, candidate.edited) }),
    );
    const fit = trials.filter(({ candidate }) => !candidate.unfit);
    const [first = 0, ...others] = this.#options.seeds.keys();
    const jobs = (seeds: readonly number[], planOf: (trial: MutantTrial) => Plan) =>
      fit.flatMap((trial) => this.#jobs(trial, seeds, () => planOf(trial), this.#options.inProcess));
    await this.#all(
      'mutants',
      jobs([first], (trial) => this.#planOfFirst(trial)),
    );
    if (others.length > 0)
      await this.#all(
        'mutants',
        jobs(others, (trial) => this.#planOfOther(trial)),
      );
    return mutantResults(this.#options, trials);
  }

  #planOfFirst({ candidate }: MutantTrial): Plan {
    const { clause } = candidate;
    if (clause !== undefined)
      return { kind: 'targeted', clause, extent: this.#options.quick ? 'step' : 'all steps' };
    if (this.#isListed(candidate)) return { kind: 'correct', share: equivalentShare.first };
    return { kind: 'any', late: [...this.#lateKillers] };
  }

  /** On other seeds than the first only a kill by the same clause is looked for. */
  #planOfOther({ candidate, observations: [first] }: MutantTrial): Plan {
    const { clause } = candidate;
    if (clause !== undefined) return { kind: 'targeted', clause, extent: 'clause' };
    if (this.#isListed(candidate)) return { kind: 'correct', share: equivalentShare.other };
    return { kind: 'any', killer: first && killerOf(first), late: [...this.#lateKillers] };
  }

  #isListed(candidate: Candidate): boolean {
    return this.#options.equivalents.some((entry) => means(entry, candidate));
  }

  /** A job for each seed, by its index. */
  #jobs(trial: Trial, seeds: readonly number[], planOf: () => Plan, inProcess: boolean): readonly Task[] {
    const { lab, interpreter } = this.#options;
    const { base, edited } = trial;
    return seeds.map((index) => {
      const seed = this.#options.seeds[index] ?? 0;
      return {
        job: () => ({ lab: lab.id, base, edited, seed, interpreter, inProcess, plan: planOf() }),
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
    progress.begin(part, queue.length);
    const work = async (worker: Worker) => {
      for (let task = queue.shift(); task && !interrupted.aborted; task = queue.shift()) {
        const job = task.job();
        const known = journal.known(job);
        const observation = known ?? (await worker.run(job));
        if (interrupted.aborted) return;
        if (!known && observation.ended?.status !== 'undecided') journal.add(job, observation);
        const late = job.plan.kind === 'any' ? lateKillerOf(observation) : undefined;
        if (late !== undefined) this.#lateKillers.push(late);
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
