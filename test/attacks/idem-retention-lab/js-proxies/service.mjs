export * from './honest.ts';

const traps = {
  ownKeys() {
    for (;;);
  },
  getPrototypeOf: () => Object.prototype,
};

export function fetch() {
  return new Proxy({}, traps);
}
