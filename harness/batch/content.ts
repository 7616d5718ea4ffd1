import { createHash, type Hash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';

/** Bytes of a file beyond which its size and its time stand for what is in it. */
const mostBytes = 64 << 20;

/** What lies in submissions and is no part of them. */
const ignored = new Set(['.git', 'node_modules', '__pycache__']);

/** A hash of all that makes up a submission: the names, links and contents of its files. */
export function contentOf(place: string): string {
  const hash = createHash('sha256');
  add(hash, place, '');
  return hash.digest('hex');
}

function add(hash: Hash, place: string, name: string): void {
  const status = lstatSync(place);
  const part = (kind: string, content: string | Buffer) =>
    hash.update(JSON.stringify([name, kind, content.length])).update(content);
  if (status.isDirectory()) {
    for (const each of readdirSync(place).sort())
      if (!ignored.has(each)) add(hash, path.join(place, each), path.join(name, each));
  } else if (status.isSymbolicLink()) {
    part('link', readlinkSync(place));
  } else if (!status.isFile() || status.size > mostBytes) {
    part('other', `${status.size} ${status.mtimeMs}`);
  } else {
    part('file', readFileSync(place));
  }
}
