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

/** Lanes in a thread of their own. A lane has one task at a time. */
export function remoteLanes(run: Run, count: number): Lane[] {
  const workerData: ThreadData = { run, count, outside: outsideLabs() };
  const worker = new Worker(new URL('./lane-thread.js', import.meta.url), { workerData });
  const waiting = new Map<number, { resolve(report: ClauseReport): void; reject(error: Error): void }>();
  const failAll = (error: Error) => {
    for (const { reject } of waiting.values()) reject(error);
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
      verify: (task) =>
        new Promise((resolve, reject) => {
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
