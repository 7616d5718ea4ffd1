export * from './honest.ts';

/** A promise of a promise of a promise, and so on. */
function thenable() {
  // biome-ignore lint/suspicious/noThenProperty: that is the attack
  return { then: (resolve) => resolve(thenable()) };
}

export function reserve() {
  return thenable();
}
