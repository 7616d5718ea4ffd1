export * from './honest.ts';

export function reserve() {
  process.exit(0);
}
