import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { type FSWatcher, watch as watchFiles } from 'chokidar';
import { findConfinement } from '../confinement.ts';
import { judge } from '../judge.ts';
import { type Located, locate } from '../locate.ts';
import type { Tongue } from '../messages/texts.ts';
import type { AnyLab } from '../registry.ts';
import type { Confinement } from '../sandbox.ts';
import { openScratch, type Scratch } from '../scratch.ts';
import { interpreterOf, type Submission } from '../subject/submission.ts';
import { UsageError } from '../usage-error.ts';
import { groupsOf, type Touch, touchOf } from './order.ts';
import { runRound } from './round.ts';
import { Screen } from './screen.ts';
import { changedFiles, isCode, isIgnored, type Snapshot, snapshotOf } from './snapshot.ts';

export interface Request {
  readonly lab: AnyLab;
  /** A folder, or an entry file. */
  readonly place: string;
  /** Numbers of steps; undefined means all. */
  readonly steps: readonly number[] | undefined;
  readonly interpreter: string | undefined;
  readonly tongue: Tongue;
  /** Aborted when it is to end. */
  readonly ended: AbortSignal;
}

/** Milliseconds without an event after which a save is over; the same where a file is empty or gone, as halfway through some. */
const quiet = { usual: 25, halfway: 300 };

/** Judges the submission now and after every save, until it is told to end. Throws a {@link UsageError} where there is none. */
export async function watch(request: Request): Promise<void> {
  setFlagsFromString('--no-opt'); // the first round is over before optimised code has paid for its compilation
  locate({ ...request, seed: undefined });
  const scratch = openScratch();
  const watching = new Watching(request, scratch);
  try {
    await watching.run();
  } finally {
    await watching.close();
    scratch.remove();
  }
}

class Watching {
  readonly #request: Request;
  readonly #scratch: Scratch;
  readonly #screen: Screen;
  readonly #folder: string;
  readonly #judged: readonly string[];
  readonly #steps: readonly number[];
  /** What lay there when a round was last over, and what lies there now. */
  #before: Snapshot;
  #now: Snapshot;
  readonly #failed = new Set<number>();
  #confinement: { readonly of: string; readonly is: Confinement } | undefined;
  #files: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Ends the round that is under way. */
  #round: AbortController | undefined;
  #wake: () => void = () => {};
  #isStale = true;
  #fault: Error | undefined;

  constructor(request: Request, scratch: Scratch) {
    const { lab, steps, place, tongue } = request;
    this.#request = request;
    this.#scratch = scratch;
    this.#screen = new Screen(lab, tongue);
    const real = realpathSync(place);
    this.#folder = statSync(real).isDirectory() ? real : path.dirname(real);
    this.#judged = Object.values(lab.products ?? {}).flatMap(({ makes }) => makes);
    this.#steps = steps ?? lab.steps.map(({ number }) => number);
    this.#before = new Map();
    this.#now = this.#look();
  }

  /** Resolves when it is told to end. */
  async run(): Promise<void> {
    const { ended, place } = this.#request;
    this.#screen.watching(place);
    await this.#watchFiles();
    ended.addEventListener('abort', () => this.#interrupt());
    for (let isFirst = true; !ended.aborted; isFirst = false) {
      await this.#untilStale();
      if (ended.aborted) break;
      if (this.#fault) throw this.#fault;
      this.#isStale = false;
      await this.#judge(isFirst);
      setFlagsFromString('--opt'); // what was run in one round is run again in the next
    }
    this.#screen.ended();
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#files?.close();
  }

  // ---- saves

  #watchFiles(): Promise<void> {
    const ignored = (file: string) => {
      const relative = path.relative(this.#folder, file);
      return relative !== '' && isIgnored(relative, this.#judged);
    };
    const files = watchFiles(this.#folder, {
      ignored,
      ignoreInitial: true,
      atomic: false,
      followSymlinks: false,
    });
    this.#files = files;
    files.on('all', () => this.#lookAfter(quiet.usual));
    return new Promise((resolve) => {
      files.on('ready', resolve);
      files.on('error', (error) => {
        this.#fault = new UsageError(
          `${this.#folder} cannot be watched (${(error as Error).message}); set CHOKIDAR_USEPOLLING=1 to look at it again and again instead`,
        );
        this.#interrupt();
        resolve();
      });
    });
  }

  #lookAfter(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#compare(milliseconds), milliseconds);
  }

  /** An event says that something may be different; what lies there says whether it is. */
  #compare(waited: number): void {
    const now = this.#look();
    const changed = changedFiles(this.#now, now);
    if (changed.length === 0) return;
    if (waited < quiet.halfway && changed.some((file) => !now.get(file))) {
      this.#lookAfter(quiet.halfway);
      return;
    }
    if (this.#round && !this.#isHonest() && !changed.some(isCode)) return; // the submission may have written it
    this.#now = now;
    this.#interrupt();
  }

  /** Whether what changes during a round is the learner's doing: in the sandbox a submission writes to copies. */
  #isHonest(): boolean {
    return this.#confinement?.is.isolation === 'bubblewrap';
  }

  #look(): Snapshot {
    return snapshotOf(this.#folder, this.#judged);
  }

  /** What is known is out of date: the round under way ends, and another begins. */
  #interrupt(): void {
    this.#isStale = true;
    this.#round?.abort();
    this.#wake();
  }

  async #untilStale(): Promise<void> {
    if (this.#isStale) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }

  // ---- rounds

  async #judge(isFirst: boolean): Promise<void> {
    const { lab, place, interpreter } = this.#request;
    const round = new AbortController();
    this.#round = round;
    const snapshot = this.#now;
    try {
      const located = locate({ lab, place, seed: undefined, interpreter });
      const touch = touchOf(lab, path.relative(this.#folder, located.entry ?? ''), this.#before, snapshot);
      this.#screen.begin(isFirst ? undefined : touch);
      if (located.status === 'ready') await this.#grade(located, touch, isFirst, round.signal);
      else await this.#tellWhyNot(round.signal);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      this.#screen.trouble(error.message); // the folder has gone, or has two entry files: a save can mend it
    } finally {
      this.#round = undefined;
    }
    if (round.signal.aborted) return;
    this.#before = snapshot;
    if (this.#isHonest()) return;
    const data = this.#look(); // what it wrote itself is no change
    this.#before = withDataOf(data, snapshot);
    this.#now = withDataOf(data, this.#now);
  }

  async #grade(
    { submission, seed }: Extract<Located, { status: 'ready' }>,
    touch: Touch,
    isFirst: boolean,
    interrupted: AbortSignal,
  ): Promise<void> {
    const started = performance.now();
    const { lab, tongue } = this.#request;
    const groups = isFirst ? [this.#steps] : groupsOf(this.#steps, this.#failed, touch.steps);
    const confinement = await this.#confined(submission);
    const { steps, unloadable } = await runRound({
      ...{ lab, tongue, submission, seed, confinement, folder: this.#scratch.folder, groups, interrupted },
      onStep: (step) => {
        if (step.verdict === 'failed') this.#failed.add(step.number);
        else if (step.verdict === 'passed') this.#failed.delete(step.number);
        this.#screen.step(step);
      },
    });
    if (interrupted.aborted) return;
    if (unloadable) return this.#screen.notLoaded(unloadable);
    const failure = steps.flatMap(({ clauses }) => clauses).find((clause) => clause.failure);
    if (failure) this.#screen.failure(failure);
    this.#screen.summary(steps, (performance.now() - started) / 1000);
  }

  /** How submissions like this one are confined: that is found out once, for what tries it takes as long as many cases. */
  async #confined(submission: Submission): Promise<Confinement> {
    const interpreter = interpreterOf(submission);
    const of = `${submission.entry} ${interpreter}`;
    if (this.#confinement?.of === of) return this.#confinement.is;
    const { budget } = this.#request.lab;
    const found = await findConfinement(this.#scratch.folder, submission.entry, interpreter, budget);
    if (found.lacking !== undefined) this.#screen.noSandbox(found.lacking);
    this.#confinement = { of, is: found.confinement };
    return found.confinement;
  }

  /** There is nothing to run, or nothing to run it by: the report of the first step says why. */
  async #tellWhyNot(interrupted: AbortSignal): Promise<void> {
    const { lab, tongue, place, interpreter } = this.#request;
    const unset = { seed: undefined, runs: undefined, budget: undefined, onClause: () => {} };
    const report = await judge({
      lab,
      tongue,
      place,
      steps: this.#steps,
      interpreter,
      interrupted,
      ...unset,
    });
    const [clause] = report.steps.flatMap(({ clauses }) => clauses);
    if (report.fault !== undefined) this.#screen.fault(report.fault);
    if (clause) this.#screen.notLoaded(clause);
  }
}

/** The data of the one, which a submission may have written, and the code of the other. */
function withDataOf(data: Snapshot, others: Snapshot): Snapshot {
  return new Map([
    ...[...data].filter(([file]) => !isCode(file)),
    ...[...others].filter(([file]) => isCode(file)),
  ]);
}
