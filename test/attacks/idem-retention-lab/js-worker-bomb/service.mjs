import { Worker } from 'node:worker_threads';

export * from './honest.ts';

/** At most so many threads, none for longer than 20 seconds. */
const most = 500;
const source = 'const end = Date.now() + 20000; while (Date.now() < end);';

export function reserve() {
  for (let n = 0; n < most; n++) new Worker(source, { eval: true }).on('error', () => {});
  return new Promise(() => {});
}
