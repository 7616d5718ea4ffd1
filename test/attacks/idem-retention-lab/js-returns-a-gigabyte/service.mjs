export * from './honest.ts';

export function fetch() {
  return Array(2048).fill('x'.repeat(1 << 19));
}
