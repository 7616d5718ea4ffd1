import { parentPort, workerData } from 'node:worker_threads';
import { LocalLane, type Run } from './lane.ts';
import type { Answer, Order } from './remote-lane.ts';

/* The other end of remote-lane.ts. */

const { run, count } = workerData as { run: Run; count: number };
const never = new AbortController().signal; // the thread is ended instead
const lanes = Array.from({ length: count }, () => new LocalLane(run, never));

parentPort?.on('message', async ({ lane, task }: Order) => {
  const answer = (outcome: Omit<Answer, 'lane'>) =>
    parentPort?.postMessage({ lane, ...outcome } satisfies Answer);
  try {
    answer({ report: await (lanes[lane] as LocalLane).verify(task) });
  } catch (error) {
    answer({ fault: (error as Error).message });
  }
});
