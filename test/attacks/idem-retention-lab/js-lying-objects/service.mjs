export * from './honest.ts';

class Yes extends Boolean {}

const liars = [
  { toJSON: () => true, valueOf: () => true, toString: () => 'true' },
  { [Symbol.toPrimitive]: () => true },
  Object.assign(Object.create({ constructor: Boolean }), { valueOf: () => true }),
  new Boolean(true),
  new Yes(true),
  Object.setPrototypeOf([true], null),
];
let next = 0;

export function reserve() {
  next += 1;
  return liars[next % liars.length];
}
