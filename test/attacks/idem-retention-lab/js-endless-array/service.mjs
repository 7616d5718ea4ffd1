export * from './honest.ts';

const traps = { get: (target, name) => (name === 'length' ? Number.MAX_SAFE_INTEGER : target[name]) };

export function fetch() {
  return new Proxy([], traps);
}
