import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { labById } from '../registry.ts';
import { type Job, perform } from './job.ts';
import type { ThreadMessage } from './workers.ts';

/* The other end of workers.ts. */

const { folder } = workerData as { folder: string };
const interrupted = new AbortController().signal; // the thread is ended instead
const say = (message: ThreadMessage) => parentPort?.postMessage(message);

parentPort?.on('message', async (job: Job) => {
  const lab = labById(job.lab);
  if (!lab) throw new RangeError(`no lab ${job.lab}`);
  const own = mkdtempSync(path.join(folder, 'job-'));
  const ended = await perform(job, { lab, folder: own, interrupted, onReport: (report) => say({ report }) });
  say({ done: true, ...(ended ? { ended } : {}) });
});
