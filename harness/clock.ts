/**
 * Milliseconds since the machine started: the same in all threads, and unmoved when somebody sets the clock.
 * `performance.now()` counts from the start of each thread.
 */
export function now(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}
