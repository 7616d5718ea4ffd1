import { Worker as Thread } from 'node:worker_threads';
import { type AnyLab, type OutsideLab, outsideLabs } from '../registry.ts';
import type { ClauseReport } from '../report/report.ts';
import type { Observation } from './fate.ts';
import { type Job, perform } from './job.ts';

/** Does one job at a time. */
export interface Worker {
  /** Never rejects: what went wrong is in the observation. */
  run(job: Job): Promise<Observation>;
  close(): Promise<void>;
}

/** What a thread begins with. */
export interface ThreadData {
  /** Where its jobs have theirs. */
  readonly folder: string;
  readonly outside: readonly OutsideLab[];
}

/** What a thread says: a report as it comes, and at last that the job has ended. */
export type ThreadMessage =
  | { readonly report: ClauseReport }
  | { readonly done: true; readonly ended?: Observation['ended'] };

/** Milliseconds within which a thread must have the next report of a submission that runs in it. */
const silenceLimit = 30_000;

/** A worker in this thread: for tools that give it a lab of their own. An endless loop in TypeScript stays one. */
export function localWorker(lab: AnyLab, folder: string, interrupted: AbortSignal): Worker {
  return {
    run: async (job) => {
      const reports: ClauseReport[] = [];
      const onReport = (report: ClauseReport) => reports.push(report);
      const ended = await perform(job, { lab, folder, interrupted, onReport });
      return { reports, ...(ended ? { ended } : {}) };
    },
    close: async () => {},
  };
}

/** A worker in a thread of its own, which is ended, and begun anew, where a submission in it never returns. */
export function threadWorker(folder: string): Worker {
  let thread: Thread | undefined;
  return {
    run: async (job) => {
      thread ??= new Thread(new URL('./validate-thread.js', import.meta.url), {
        workerData: { folder, outside: outsideLabs() } satisfies ThreadData,
      });
      const running = thread;
      const observation = await observe(running, job);
      if (observation.ended && observation.ended.status !== 'stillborn') {
        thread = undefined; // it may still be at it, or has ended
        void running.terminate();
      }
      return observation;
    },
    close: async () => {
      await thread?.terminate();
      thread = undefined;
    },
  };
}

function observe(thread: Thread, job: Job): Promise<Observation> {
  return new Promise((resolve) => {
    const reports: ClauseReport[] = [];
    let timer: NodeJS.Timeout | undefined;
    const end = (ended: Observation['ended']) => {
      clearTimeout(timer);
      thread.off('message', onMessage).off('error', onError).off('exit', onExit);
      resolve({ reports, ...(ended ? { ended } : {}) });
    };
    const onMessage = (message: ThreadMessage) => {
      if ('done' in message) return end(message.ended);
      reports.push(message.report);
      awaitNext();
    };
    const onError = (error: Error) => end({ status: 'undecided', detail: error.message });
    const onExit = () => end({ status: 'crash', detail: 'it ended the thread that it ran in' });
    const awaitNext = () => {
      clearTimeout(timer);
      if (!job.inProcess) return;
      const detail = `no report for ${silenceLimit / 1000} s: a call does not return`;
      timer = setTimeout(() => end({ status: 'timeout', detail }), silenceLimit);
    };
    thread.on('message', onMessage).on('error', onError).on('exit', onExit);
    awaitNext();
    thread.postMessage(job);
  });
}
