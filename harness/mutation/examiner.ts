import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { now } from '../clock.ts';
import { LocalLane } from '../lane.ts';
import { rebuildConfinement, rebuilt } from '../rebuild.ts';
import type { AnyLab } from '../registry.ts';
import type { ClauseReport } from '../report/report.ts';
import type { Confinement } from '../sandbox.ts';
import { type Main, moduleScriptsSubject, moduleSubject } from '../subject/module.ts';
import { compile } from '../subject/node.ts';
import { type OpenSubject, SubjectFailure } from '../subject/subject.ts';
import type { Submission } from '../subject/submission.ts';
import { stepOf } from './fate.ts';

export interface ExaminerOptions {
  readonly lab: AnyLab;
  readonly submission: Submission;
  /** Paths in the submission's folder of the files that were edited. */
  readonly edited: readonly string[];
  /** TypeScript runs in this process: it is trusted, and has no time limit. */
  readonly inProcess: boolean;
  readonly seed: number;
  readonly confinement: Confinement;
  /** Where databases and copies lie. */
  readonly folder: string;
  readonly interrupted: AbortSignal;
}

/** How a clause is asked. */
export interface Question {
  /** Cases. */
  readonly runs: number;
  /** Milliseconds for which a failing case is made smaller. */
  readonly shrinkTime: number;
}

/** Milliseconds that a clause may take: far more than it does, however busy the machine. A verdict is not a race. */
const ample = 600_000;

/** Milliseconds a call: a correct submission's take a few. */
const callLimit = 5_000;

/** Puts clauses to one submission, one after the other. */
export class Examiner {
  readonly #options: ExaminerOptions;
  readonly #lanes = new Map<string, Promise<LocalLane>>();
  #missedSameMoment = false;

  constructor(options: ExaminerOptions) {
    this.#options = options;
  }

  /** Throws a {@link SubjectFailure} of the kind `load` where a submission in this process cannot be loaded. */
  async ask(clause: string, question: Question): Promise<ClauseReport> {
    const step = stepOf(clause);
    this.#missedSameMoment = false;
    const lane = this.#isRebuilt(step)
      ? this.#lane(`rebuilt-${step}`, async () => this.#open(await this.#rebuilt(step), false))
      : this.#lane('as it lies', () => this.#open(this.#options.submission, this.#options.inProcess));
    return verify(await lane, clause, question);
  }

  /** Whether a clause was asked that makes calls at the same moment, while the submission ran in this process. */
  get missedSameMoment(): boolean {
    return this.#missedSameMoment;
  }

  /** Asks the submission in processes of its own, whatever its language. */
  async askByProcesses(clause: string, question: Question): Promise<ClauseReport> {
    const lane = this.#lane('by processes', () => this.#open(this.#options.submission, false));
    return verify(await lane, clause, question);
  }

  async close(): Promise<void> {
    const lanes = await Promise.allSettled(this.#lanes.values());
    await Promise.all(lanes.map((lane) => lane.status === 'fulfilled' && lane.value.close()));
  }

  #lane(name: string, open: () => Promise<LocalLane>): Promise<LocalLane> {
    const lane = this.#lanes.get(name) ?? open();
    this.#lanes.set(name, lane);
    return lane;
  }

  async #open(submission: Submission, inProcess: boolean): Promise<LocalLane> {
    const { lab, seed, folder, interrupted, confinement } = this.#options;
    const run = { lab: lab.id, submission, folder, seed, runs: undefined, callLimit, confinement };
    const missed = () => {
      this.#missedSameMoment = true;
    };
    const open = inProcess ? await openInProcess(lab, submission, folder, missed) : undefined;
    return new LocalLane(run, interrupted, open, lab);
  }

  /** Files that an edited script makes are made anew by it. */
  #isRebuilt(step: number): boolean {
    const { lab, submission, edited } = this.#options;
    const script = lab.products?.[step]?.script;
    if (!script || submission.kind !== 'scripts') return false;
    const file = submission.scripts[script];
    return file !== undefined && edited.includes(path.relative(submission.folder, file));
  }

  #rebuilt(step: number): Promise<Submission> {
    const { lab, submission, folder } = this.#options;
    const product = lab.products?.[step];
    if (!product) throw new RangeError(`step ${step} makes nothing`);
    const copy = path.join(folder, `rebuilt-${step}`);
    return rebuilt(submission, product, lab, copy, rebuildConfinement(lab.budget));
  }
}

function verify(lane: LocalLane, clause: string, question: Question): Promise<ClauseReport> {
  const deadline = now() + ample;
  return lane.verify({ step: stepOf(clause), clause, deadline, share: deadline, ...question });
}

/** Compiles a TypeScript submission and loads it. Throws a {@link SubjectFailure} of the kind `load`. */
async function openInProcess(
  lab: AnyLab,
  submission: Submission,
  folder: string,
  missedSameMoment: () => void,
): Promise<OpenSubject> {
  const bundle = compile(submission.entry, folder);
  const module = await load(bundle);
  if (lab.kind === 'functions') return moduleSubject(module);
  const { main } = module as { main: Main };
  const mains = { [lab.entry]: endingLikeNode(main) };
  return moduleScriptsSubject(mains, path.dirname(submission.entry), missedSameMoment);
}

async function load(bundle: string): Promise<object> {
  try {
    return await import(/* @vite-ignore */ pathToFileURL(bundle).href);
  } catch (error) {
    throw new SubjectFailure('load', (error as Error).message);
  }
}

/** What is thrown out of a program's main function ends Node with the code 1. */
function endingLikeNode(main: Main): Main {
  return async (argv) => {
    try {
      return await main(argv);
    } catch (error) {
      return { exitCode: 1, stdout: '', stderr: String(error) };
    }
  };
}
