export * from './honest.ts';

export function reserve(...args) {
  return reserve(...args);
}
