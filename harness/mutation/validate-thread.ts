import { parentPort, workerData } from 'node:worker_threads';
import { knownLab } from '../registry.ts';
import { type Job, perform } from './job.ts';
import type { ThreadData, ThreadMessage } from './workers.ts';

/* The other end of workers.ts. */

const { folder, outside } = workerData as ThreadData;
if (outside.length > 0) await (await import('../lab-dir.ts')).addCompiledLabs(outside);

const interrupted = new AbortController().signal; // the thread is ended instead
const say = (message: ThreadMessage) => parentPort?.postMessage(message);

parentPort?.on('message', async (job: Job) => {
  const lab = knownLab(job.lab);
  const ended = await perform(job, { lab, folder, interrupted, onReport: (report) => say({ report }) });
  say({ done: true, ...(ended ? { ended } : {}) });
});
