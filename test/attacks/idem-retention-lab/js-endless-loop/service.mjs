export * from './honest.ts';

export function reserve() {
  for (;;);
}
