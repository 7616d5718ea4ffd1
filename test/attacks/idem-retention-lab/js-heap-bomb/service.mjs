export * from './honest.ts';

/** 6 GB at most. */
const most = 100_000_000;

export function reserve() {
  const held = [];
  while (held.length < most) held.push({ a: held.length, b: [held.length] });
  return held.length;
}
