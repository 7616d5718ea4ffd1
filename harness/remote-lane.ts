import { Worker } from 'node:worker_threads';
import type { Lane, Run, Task } from './lane.ts';
import { type OutsideLab, outsideLabs } from './registry.ts';
import type { ClauseReport } from './report/report.ts';
import { GraderFault } from './subject/subject.ts';

/** What a thread begins with. */
export interface ThreadData {
  readonly run: Run;
  /** Of its lanes. */
  readonly count: number;
  readonly outside: readonly OutsideLab[];
}

/** Compiled, for threads run no TypeScript: from source there is none. */
const laneThread = new URL('./lane-thread.js', import.meta.url);
export const hasThreads = !import.meta.url.endsWith('.ts');

/** What a thread is told: `lane` verifies the task. */
export interface Order {
  readonly lane: number;
  readonly task: Task;
}

/** What a thread answers. */
export interface Answer {
  readonly lane: number;
  readonly report?: ClauseReport;
  readonly fault?: string;
}

/**
 * Lanes in a thread of their own. A lane has one task at a time. Once the thread has ended, for whatever reason, all that
 * waits and all that is asked later is rejected by a {@link GraderFault}.
 */
export function remoteLanes(run: Run, count: number, entry = laneThread): Lane[] {
  const workerData: ThreadData = { run, count, outside: outsideLabs() };
  const worker = new Worker(entry, { workerData });
  const waiting = new Map<number, { resolve(report: ClauseReport): void; reject(error: Error): void }>();
  let ended: GraderFault | undefined;
  const failAll = (error: GraderFault) => {
    ended ??= error;
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  };
  worker.on('message', ({ lane, report, fault }: Answer) => {
    const task = waiting.get(lane);
    waiting.delete(lane);
    if (report) task?.resolve(report);
    else task?.reject(new GraderFault(fault ?? 'no report'));
  });
  worker.on('error', (error) => failAll(new GraderFault(error.message)));
  worker.on('exit', () => failAll(new GraderFault('the thread ended')));
  let open = count;
  return Array.from(
    { length: count },
    (_, lane): Lane => ({
      get isAlive() {
        return ended === undefined;
      },
      verify: (task) =>
        new Promise((resolve, reject) => {
          if (ended) return reject(ended);
          waiting.set(lane, { resolve, reject });
          worker.postMessage({ lane, task } satisfies Order);
        }),
      close: async () => {
        open -= 1;
        if (open === 0) await worker.terminate(); // its hosts see their sockets close, and end
      },
    }),
  );
}
