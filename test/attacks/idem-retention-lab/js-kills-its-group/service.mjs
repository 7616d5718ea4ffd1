export * from './honest.ts';

export function reserve() {
  process.kill(0, 'SIGKILL');
  for (;;);
}
