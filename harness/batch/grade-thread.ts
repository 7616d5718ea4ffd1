import { parentPort, workerData } from 'node:worker_threads';
import { grade } from '../grade.ts';
import type { Graded, GradeThreadData, Order } from './grade-threads.ts';

/* The other end of grade-threads.ts. */

const { outside } = workerData as GradeThreadData;
if (outside.length > 0) await (await import('../lab-dir.ts')).addCompiledLabs(outside);

const never = new AbortController().signal; // the thread is ended instead

parentPort?.on('message', async (order: Order) => {
  const answer = (graded: Graded) => parentPort?.postMessage(graded);
  try {
    answer({ steps: await grade({ ...order, threads: 1, interrupted: never }) });
  } catch (error) {
    answer({ fault: (error as Error).message });
  }
});
