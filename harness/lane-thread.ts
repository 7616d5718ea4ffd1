import { parentPort, workerData } from 'node:worker_threads';
import { LocalLane } from './lane.ts';
import type { Answer, Order, ThreadData } from './remote-lane.ts';

/* The other end of remote-lane.ts. */

const { run, count, outside } = workerData as ThreadData;
if (outside.length > 0) await (await import('./lab-dir.ts')).addCompiledLabs(outside);

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
