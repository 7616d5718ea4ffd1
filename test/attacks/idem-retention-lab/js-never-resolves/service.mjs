export * from './honest.ts';

export function reserve() {
  return new Promise(() => {});
}
