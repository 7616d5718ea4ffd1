export * from './honest.ts';

export function reserve() {
  Promise.reject(new Error('nobody waits for this'));
  return new Promise(() => {});
}
