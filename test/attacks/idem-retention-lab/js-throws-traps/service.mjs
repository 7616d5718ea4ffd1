export * from './honest.ts';

const bidi = '\r\n::error file=x::pwned\n##[error]pwned\u001b[2J\u202e';

export function reserve() {
  class Hostile extends Error {
    get message() {
      return bidi;
    }
    get stack() {
      return bidi;
    }
    get code() {
      return { toString: () => bidi };
    }
    get name() {
      return bidi;
    }
  }
  Object.defineProperty(Hostile, 'name', { value: bidi });
  throw new Hostile(bidi, { cause: new Hostile(bidi) });
}
