import { spawn } from 'node:child_process';

export * from './honest.ts';

/** At most so many processes, none for longer than 20 seconds. */
const most = 1000;

export function reserve() {
  for (let n = 0; n < most; n++) {
    spawn('sleep', ['20'], { detached: true, stdio: 'ignore' })
      .on('error', () => {})
      .unref();
  }
  return new Promise(() => {});
}
