import { lstatSync, readdirSync, type Stats, statfsSync } from 'node:fs';
import path from 'node:path';

/** Room on a file system, or what is taken of it. */
export interface Room {
  readonly bytes: number;
  readonly files: number;
}

/** What is left on the file system that a folder lies on. */
export function roomAt(folder: string): Room {
  try {
    const { bavail, bsize, ffree } = statfsSync(folder);
    return { bytes: bavail * bsize, files: ffree };
  } catch {
    return { bytes: 0, files: 0 };
  }
}

/** What lies in a folder, counted until it is more than `most`. */
export function takenBy(folder: string, most: Room): Room {
  const taken = { bytes: 0, files: 0 };
  const folders = [folder];
  for (const each of folders) {
    for (const name of namesIn(each)) {
      taken.files += 1;
      const file = statusOf(path.join(each, name));
      if (file?.isDirectory()) folders.push(path.join(each, name));
      taken.bytes += (file?.blocks ?? 0) * 512;
      if (taken.files > most.files || taken.bytes > most.bytes) return taken;
    }
  }
  return taken;
}

function statusOf(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
