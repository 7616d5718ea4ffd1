import { harmlessLine } from '../report/harmless.ts';
import { isDict, isList, Opaque, Tuple, type Value } from '../value.ts';
import type { Outcome, Raised } from './subject.ts';

/** What the other side of a channel sent is not of the form it should have. */
export class ProtocolError extends Error {}

/** Bytes of one frame that are still read. The hosts stop encoding far below. */
const maxFrame = 16 << 20;

/** Lists in lists that are read. The hosts stop earlier. */
const maxDepth = 128;

/** The most exceptions of a chain. */
const maxChain = 5;

/** Characters of a text that is only shown. */
const maxText = 500;

/** A frame: the length of the JSON text in bytes (4 bytes, big-endian), then the text. */
export function frame(message: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(4);
  head.writeUInt32BE(body.length);
  return Buffer.concat([head, body]);
}

/** Cuts a stream into messages; throws {@link ProtocolError} on what is no frame. */
export class Unframer {
  #parts: Buffer[] = [];
  #size = 0;

  push(data: Buffer): unknown[] {
    this.#parts.push(data);
    this.#size += data.length;
    const messages: unknown[] = [];
    for (let length = this.#next(); length !== undefined; length = this.#next()) {
      const body = this.#take(4 + length).subarray(4);
      try {
        messages.push(JSON.parse(body.toString('utf8')));
      } catch {
        throw new ProtocolError('a reply that is no JSON');
      }
    }
    return messages;
  }

  /** The length of the next body, once it is all there. */
  #next(): number | undefined {
    if (this.#size < 4) return undefined;
    if ((this.#parts[0]?.length ?? 0) < 4) this.#parts = [Buffer.concat(this.#parts)];
    const length = this.#parts[0]?.readUInt32BE() ?? 0;
    if (length > maxFrame) throw new ProtocolError(`a reply of ${length} bytes`);
    return this.#size >= 4 + length ? length : undefined;
  }

  #take(size: number): Buffer {
    const all = this.#parts.length === 1 && this.#parts[0] ? this.#parts[0] : Buffer.concat(this.#parts);
    this.#size -= size;
    this.#parts = this.#size > 0 ? [all.subarray(size)] : [];
    return all.subarray(0, size);
  }
}

/** JSON that keeps the type of every value; the tags are listed in host.py. */
export function encode(value: Value): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : { i: String(value) };
  }
  if (typeof value === 'number') return { f: Object.is(value, -0) ? '-0.0' : String(value) };
  if (isList(value)) return value.map(encode);
  if (value instanceof Tuple) return { t: value.items.map(encode) };
  if (isDict(value)) return { d: [...value].map(([key, item]) => [encode(key), encode(item)]) };
  if (value instanceof Opaque) throw new TypeError(`no submission is given a ${value.type}`);
  return value;
}

/** The inverse of {@link encode}; throws {@link ProtocolError} on anything else. */
export function decode(json: unknown, depth = maxDepth): Value {
  if (depth === 0) throw new ProtocolError('a value of too many levels');
  if (json === null || typeof json === 'boolean' || typeof json === 'string') return json;
  if (typeof json === 'number') {
    if (Number.isInteger(json) && Math.abs(json) <= 2 ** 53) return BigInt(json);
    throw new ProtocolError('a bare number that is no int');
  }
  const inner = (item: unknown) => decode(item, depth - 1);
  if (Array.isArray(json)) return json.map(inner);
  const [tag, content] = onlyMember(json);
  if (tag === 'f' && typeof content === 'string') return float(content);
  if (tag === 'i' && typeof content === 'string' && /^-?\d{1,20}$/.test(content)) return BigInt(content);
  if (tag === 't' && Array.isArray(content)) return new Tuple(content.map(inner));
  if (tag === 'd' && Array.isArray(content)) {
    return new Map(content.map(pair).map(([key, item]) => [inner(key), inner(item)]));
  }
  if (tag === 'o' && Array.isArray(content)) return opaque(content[0], content[1]);
  throw new ProtocolError('a value with an unknown tag');
}

function opaque(type: unknown, text: unknown): Opaque {
  return new Opaque(shown(type), shown(text));
}

/** A text of the submission's on one line, that no terminal takes for a command. */
function shown(text: unknown): string {
  return harmlessLine(String(text).slice(0, maxText));
}

function onlyMember(json: unknown): [string, unknown] {
  const members = typeof json === 'object' && json !== null ? Object.entries(json) : [];
  if (members.length !== 1 || !members[0]) throw new ProtocolError('a value without a tag');
  return members[0];
}

function pair(json: unknown): [unknown, unknown] {
  if (!Array.isArray(json) || json.length !== 2) throw new ProtocolError('a dict member that is no pair');
  return [json[0], json[1]];
}

/** Each language writes the infinities and nan its own way; all other floats are read alike by both. */
const notFinite = new Map([
  ['inf', Infinity],
  ['-inf', -Infinity],
  ['nan', NaN],
  ['NaN', NaN],
]);

function float(text: string): number {
  const value = notFinite.get(text) ?? Number(text);
  if (Number.isNaN(value) && !notFinite.has(text)) throw new ProtocolError('a float that is no number');
  return value;
}

/** The reply to a call. */
export function decodeOutcome(reply: unknown): Outcome | { status: 'missing' } {
  const [status, content] = tagged(reply);
  switch (status) {
    case 'returned':
      return { status, value: decode(content) };
    case 'unsendable':
      return { status: 'returned', value: opaque(content, 'too large, or too deep, to be shown') };
    case 'raised':
      return { status, chain: decodeChain(content) };
    case 'missing':
      return { status };
    default:
      throw new ProtocolError('a reply of no known kind');
  }
}

/** The reply to a request to load: the process's id, or why the entry file cannot be loaded. */
export function decodeLoaded(reply: unknown): { pid: number } | { error: Raised } {
  const [status, content] = tagged(reply);
  if (status === 'loaded' && typeof content === 'number' && Number.isInteger(content))
    return { pid: content };
  if (status === 'unloadable') return { error: decodeRaised(content) };
  throw new ProtocolError('a reply of no known kind');
}

function tagged(reply: unknown): [unknown, unknown] {
  if (!Array.isArray(reply)) throw new ProtocolError('a reply that is no list');
  return [reply[0], reply[1]];
}

function decodeChain(json: unknown): [Raised, ...Raised[]] {
  const chain = Array.isArray(json) ? json.slice(0, maxChain).map(decodeRaised) : [];
  const [first, ...rest] = chain;
  if (!first) throw new ProtocolError('an exception without a name');
  return [first, ...rest];
}

function decodeRaised(json: unknown): Raised {
  if (typeof json !== 'object' || json === null) throw new ProtocolError('an exception that is no object');
  const { type, bases, message, code, at } = json as Record<string, unknown>;
  return {
    type: shown(type),
    bases: Array.isArray(bases) ? bases.map(String) : [],
    message: shown(message),
    code: typeof code === 'number' ? code : null,
    at: typeof at === 'string' ? shown(at) : null,
  };
}
