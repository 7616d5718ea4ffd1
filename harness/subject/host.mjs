/*
 * Runs a JavaScript submission for the grader: node --expose-gc host.mjs BUNDLE
 *
 * Descriptor 3 is the channel; requests, replies and values are those of host.py. BUNDLE is the compiled entry file
 * with all modules of the submission in it: each case imports it anew, as a module of its own.
 */
import { closeSync, openSync } from 'node:fs';
import net from 'node:net';
import { pathToFileURL } from 'node:url';

const maxReply = 1 << 20; // characters and items of one reply
const maxText = 500; // characters of a message or a printed value

const bundle = pathToFileURL(process.argv[2]).href;
const channel = new net.Socket({ fd: 3 });
for (const fd of [1, 2]) {
  closeSync(fd);
  openSync('/dev/null', 'w');
}

let module;
let loads = 0;

class Oversize extends Error {}

function encode(value, room) {
  room.left -= 1;
  if (room.left < 0) throw new Oversize();
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') {
    room.left -= value.length;
    if (room.left < 0) throw new Oversize();
    return value;
  }
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : { f: String(value) };
  if (typeof value === 'bigint')
    return BigInt.asIntN(64, value) === value ? { i: String(value) } : opaque('bigint', '');
  if (Array.isArray(value)) return Array.from(value, (item) => encode(item, room));
  const prototype = typeof value === 'object' ? Object.getPrototypeOf(value) : undefined;
  if (prototype === Object.prototype || prototype === null) {
    return { d: Object.entries(value).map(([key, item]) => [encode(key, room), encode(item, room)]) };
  }
  return opaque(value?.constructor?.name ?? typeof value, String(value));
}

function opaque(type, text) {
  return { o: [String(type).slice(0, maxText), text.slice(0, maxText)] };
}

function decode(value) {
  if (Array.isArray(value)) return value.map(decode);
  if (value === null || typeof value !== 'object') return value;
  const [[tag, content]] = Object.entries(value);
  if (tag === 'f' || tag === 'i') return Number(content);
  if (tag === 't') return content.map(decode);
  return Object.fromEntries(content.map(([key, item]) => [key, decode(item)]));
}

function exceptions(error) {
  const chain = [];
  for (let link = error; link !== undefined && link !== null && chain.length < 5; link = link.cause) {
    chain.push({
      type: nameOf(link),
      bases: basesOf(link),
      message: messageOf(link),
      code: codeOf(link),
      at: placeOf(link),
    });
  }
  return chain.length > 0 ? chain : [{ type: String(error), bases: [], message: '', code: null, at: null }];
}

function nameOf(error) {
  return String(error?.name ?? error?.constructor?.name ?? typeof error).slice(0, maxText);
}

/** The names of its classes, and SqliteError for the error of any driver. */
function basesOf(error) {
  const names = [];
  for (
    let kind = error?.constructor;
    typeof kind === 'function' && kind.name;
    kind = Object.getPrototypeOf(kind)
  ) {
    names.push(kind.name);
  }
  if (typeof error?.code === 'string' && /SQLITE/.test(error.code)) names.push('SqliteError');
  return names;
}

function messageOf(error) {
  try {
    return String(error?.message ?? error).slice(0, maxText);
  } catch {
    return '';
  }
}

/** SQLite's primary result code: better-sqlite3 names it, node:sqlite gives the number. */
function codeOf(error) {
  if (typeof error?.errcode === 'number') return error.errcode & 0xff;
  const name = /^SQLITE_(BUSY|LOCKED)/.exec(String(error?.code))?.[1];
  return name === 'BUSY' ? 5 : name === 'LOCKED' ? 6 : null;
}

function placeOf(error) {
  const place = /([^/\\\s(]+\.[cm]?[jt]s):(\d+):\d+\)?$/m.exec(String(error?.stack ?? ''));
  return place ? `${place[1]}:${place[2]}` : null;
}

async function answer([request, name, args]) {
  try {
    if (request === 'load') {
      loads += 1;
      module = await import(`${bundle}?case=${loads}`);
      return ['loaded', process.pid];
    }
    if (typeof module?.[name] !== 'function') return ['missing'];
    const value = await module[name](...decode(args));
    try {
      return ['returned', encode(value, { left: maxReply })];
    } catch (error) {
      if (error instanceof Oversize) return ['oversize', value?.constructor?.name ?? typeof value];
      throw error;
    }
  } catch (error) {
    const chain = exceptions(error);
    return request === 'load' ? ['unloadable', chain[0]] : ['raised', chain];
  }
}

/** Replies come in the order of the requests. */
let last = Promise.resolve();
let received = Buffer.alloc(0);
channel.on('data', (data) => {
  received = Buffer.concat([received, data]);
  while (received.length >= 4 && received.length >= 4 + received.readUInt32BE()) {
    const end = 4 + received.readUInt32BE();
    const request = JSON.parse(received.subarray(4, end).toString());
    received = received.subarray(end);
    last = last.then(async () => {
      const reply = await answer(request);
      if (reply[0] === 'raised') globalThis.gc?.(); // a connection may hold a lock until it is collected
      const body = Buffer.from(JSON.stringify(reply));
      const head = Buffer.alloc(4);
      head.writeUInt32BE(body.length);
      channel.write(Buffer.concat([head, body]));
    });
  }
});
channel.on('close', () => process.exit(0));
