/*
 * Runs a JavaScript submission for the grader: node --expose-gc host.mjs BUNDLE FOLDER
 *
 * Descriptor 3 is the channel; requests, replies and values are those of host.py. Descriptor 4 closes when the grader
 * is gone. BUNDLE is the compiled entry file with all modules of the submission in it: each case imports it anew, as a
 * module of its own. FOLDER is where those modules come from.
 */
import { closeSync, openSync } from 'node:fs';
import net from 'node:net';
import { sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

const maxReply = 1 << 20; // characters and items of one reply
const maxDepth = 100; // of arrays in arrays
const maxText = 500; // characters of a message or a printed value

const { parse, stringify } = JSON; // a submission may replace them

const bundle = pathToFileURL(process.argv[2]).href;
const folder = process.argv[3] + sep;
process.argv.splice(2);
const channel = new net.Socket({ fd: 3 });
for (const fd of [1, 2]) {
  closeSync(fd);
  openSync('/dev/null', 'w');
}

/** Ends the process with the grader, whatever the submission is at: an endless loop leaves this thread no turn. */
const watch = `
  new (require('node:net').Socket)({ fd: 4 }).on('close', () => process.kill(process.pid, 'SIGKILL')).resume();
`;
new Worker(watch, { eval: true }).unref();

const modules = new Map(); // of each session that has not ended
let loads = 0;

class Unsendable extends Error {}

function encode(value, room, depth = maxDepth) {
  room.left -= typeof value === 'string' ? value.length + 1 : 1;
  if (room.left < 0 || depth === 0) throw new Unsendable();
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : { f: String(value) };
  if (typeof value === 'bigint')
    return BigInt.asIntN(64, value) === value ? { i: String(value) } : opaque('bigint', '');
  const inner = (item) => encode(item, room, depth - 1);
  if (Array.isArray(value)) return Array.from(value, inner);
  const prototype = typeof value === 'object' ? Object.getPrototypeOf(value) : undefined;
  if (prototype === Object.prototype || prototype === null) {
    return { d: Object.entries(value).map(([key, item]) => [inner(key), inner(item)]) };
  }
  return opaque(typeName(value), textOf(value));
}

function opaque(type, text) {
  return { o: [type, text.slice(0, maxText)] };
}

function typeName(value) {
  try {
    return String(value?.constructor?.name ?? typeof value).slice(0, maxText);
  } catch {
    return typeof value;
  }
}

function textOf(value) {
  try {
    return String(value).slice(0, maxText);
  } catch {
    return '';
  }
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
  let link = error;
  do {
    chain.push(exception(link));
    link = link?.cause;
  } while (link !== undefined && link !== null && chain.length < 5);
  return chain;
}

/** Anything can be thrown: null, and objects whose members throw. */
function exception(error) {
  try {
    return {
      type: error instanceof Error ? String(error.name) : typeName(error),
      bases: basesOf(error),
      message: textOf(error instanceof Error ? error.message : error),
      code: codeOf(error),
      at: placeOf(error),
    };
  } catch {
    return { type: typeof error, bases: [], message: '', code: null, at: null };
  }
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

/** SQLite's primary result code: better-sqlite3 names it, node:sqlite gives the number. */
function codeOf(error) {
  if (typeof error?.errcode === 'number') return error.errcode & 0xff;
  const name = /^SQLITE_(BUSY|LOCKED)/.exec(String(error?.code))?.[1];
  return name === 'BUSY' ? 5 : name === 'LOCKED' ? 6 : null;
}

/** Where in the submission it was thrown, as "file:line": the first place of the stack that lies in its folder. */
function placeOf(error) {
  for (const line of String(error?.stack ?? '').split('\n')) {
    const start = line.indexOf(folder);
    const place = /([^/\\]+:\d+):\d+\)?$/.exec(start < 0 ? '' : line.slice(start + folder.length));
    if (place) return place[1];
  }
  return null;
}

async function answer([request, session, ...rest]) {
  try {
    if (request === 'load') {
      loads += 1;
      for (const ended of rest[0]) modules.delete(ended);
      modules.set(session, await import(`${bundle}?case=${loads}`));
      return ['loaded', process.pid];
    }
    const module = modules.get(session);
    const [name, args] = rest;
    const exporter = module?.[name] ? module : module?.default; // which has all that a CommonJS module exports
    if (typeof exporter?.[name] !== 'function') return ['missing'];
    const value = await exporter[name](...decode(args));
    try {
      return ['returned', encode(value, { left: maxReply })];
    } catch {
      return ['unsendable', typeName(value)];
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
    const [number, ...request] = parse(received.subarray(4, end).toString());
    received = received.subarray(end);
    last = last.then(async () => {
      const reply = await answer(request);
      if (reply[0] === 'raised') globalThis.gc?.(); // a connection may hold a lock until it is collected
      const body = Buffer.from(stringify([number, ...reply]));
      const head = Buffer.alloc(4);
      head.writeUInt32BE(body.length);
      channel.write(Buffer.concat([head, body]));
    });
  }
});
channel.on('close', () => process.exit(0));
