import { Worker } from 'node:worker_threads';
import type { GradeOptions } from '../grade.ts';
import { type OutsideLab, outsideLabs } from '../registry.ts';
import type { StepReport } from '../report/report.ts';
import { GraderFault } from '../subject/subject.ts';

/** What a thread begins with. */
export interface GradeThreadData {
  readonly outside: readonly OutsideLab[];
}

/** What a thread is told: plain data. */
export type Order = Omit<GradeOptions, 'threads' | 'interrupted' | 'onClause'>;

/** What it answers. */
export interface Graded {
  readonly steps?: StepReport[];
  readonly fault?: string;
}

/** Compiled, for threads run no TypeScript. */
const gradeThread = new URL('./grade-thread.js', import.meta.url);

/** Milliseconds beyond what its steps may take after which a thread is taken to hang. */
const patience = 120_000;

/**
 * A thread that grades one submission after the other. One that ends, or hangs, costs the submission that it was at, by a
 * {@link GraderFault}; the next one has a new thread.
 */
export class GradeThread {
  readonly #entry: URL;
  #worker: Worker | undefined;

  constructor(entry = gradeThread) {
    this.#entry = entry;
  }

  grade({ threads: _, interrupted, onClause: __, ...order }: GradeOptions): Promise<StepReport[]> {
    this.#worker ??= new Worker(this.#entry, {
      workerData: { outside: outsideLabs() } satisfies GradeThreadData,
    });
    const worker = this.#worker;
    return new Promise<StepReport[]>((resolve, reject) => {
      const timer = setTimeout(
        () => giveUp('the thread does not answer'),
        order.budget * order.steps.length * 1000 + patience,
      );
      const release = () => {
        clearTimeout(timer);
        interrupted.removeEventListener('abort', onAbort);
        worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      };
      const giveUp = (why: string) => {
        release();
        this.#worker = undefined;
        void worker.terminate(); // its hosts see their sockets close, and end
        reject(new GraderFault(why));
      };
      const onMessage = ({ steps, fault }: Graded) => {
        if (!steps) return giveUp(fault ?? 'no report');
        release();
        resolve(steps);
      };
      const onError = (error: Error) => giveUp(error.message);
      const onExit = () => giveUp('the thread ended');
      const onAbort = () => giveUp('interrupted');
      worker.on('message', onMessage).on('error', onError).on('exit', onExit);
      interrupted.addEventListener('abort', onAbort);
      worker.postMessage(order satisfies Order);
    });
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }
}
