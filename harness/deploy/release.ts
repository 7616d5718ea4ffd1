import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import type { Piece } from './pieces.ts';

/*
 * A deployment lies in a folder of its own, a release, and links lead to it. Learners meet the old one or the new one, never
 * half of it; and what lies beside the links, of other labs, is left alone.
 */

/** The link to the release that is in use, and the beginning of the names of releases. */
export const current = 'labcheck';

/** For all to read, whatever the umask: a folder or a program, and a file. */
const modes = { open: 0o755, plain: 0o644 };

/** Copies the pieces to a new release in `folder`; removes it where `tried` throws, or a piece cannot be copied. */
export function newRelease(
  folder: string,
  pieces: readonly Piece[],
  tried: (release: string) => void,
): string {
  const release = mkdtempSync(path.join(folder, `${current}-`));
  try {
    chmodSync(release, modes.open);
    for (const { from, to } of pieces) copy(from, path.join(release, to));
    tried(release);
    return release;
  } catch (error) {
    rmSync(release, { recursive: true, force: true });
    throw error;
  }
}

function copy(from: string, to: string): void {
  openFolder(path.dirname(to));
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
  chmodSync(to, (statSync(from).mode & constants.S_IXUSR) === 0 ? modes.plain : modes.open);
}

/**
 * Puts a release in the place of the one in use. That one stays for the gradings under way, until the deployment after;
 * older ones, and those that were never finished, go. Returns the link.
 */
export function use(release: string): string {
  const folder = path.dirname(release);
  const link = path.join(folder, current);
  const before = isLink(link) ? readlinkSync(link) : undefined;
  leadTo(release, link);
  for (const name of readdirSync(folder)) {
    const isOlder = name.startsWith(`${current}-`) && name !== path.basename(release) && name !== before;
    if (isOlder) rmSync(path.join(folder, name), { recursive: true, force: true });
  }
  return link;
}

/** Makes `link` lead to `place`, at once and wherever the folder that both are in will lie. */
export function leadTo(place: string, link: string): void {
  const next = `${link}.next`;
  rmSync(next, { force: true });
  symlinkSync(path.relative(path.dirname(link), place), next);
  renameSync(next, link);
}

/** Makes a folder, and those above it that are not there, for all to read. */
export function openFolder(folder: string): void {
  if (existsSync(folder)) return;
  openFolder(path.dirname(folder));
  mkdirSync(folder); // by itself: with `recursive` Node never comes back from /proc
  chmodSync(folder, modes.open);
}

/** Whether something is there that no deployment has made. */
export function isTaken(link: string): boolean {
  return lstatSync(link, { throwIfNoEntry: false }) !== undefined && !isLink(link);
}

function isLink(place: string): boolean {
  return lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}
