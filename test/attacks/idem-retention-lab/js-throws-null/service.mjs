export * from './honest.ts';

export function reserve() {
  throw null;
}
