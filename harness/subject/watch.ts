import { lstatSync, readdirSync, type Stats, statfsSync } from 'node:fs';
import path from 'node:path';
import { descendantsOf, loadOf } from './processes.ts';
import { SubjectFailure } from './subject.ts';

/** What a submission may take at a time, over all its processes. A correct one takes a hundredth. */
export const most = {
  /** Bytes in memory, pages that processes share counted for each. */
  memory: 1 << 30,
  processes: 64,
  threads: 256,
  /** Bytes on the file system of its folder. */
  disk: 512 << 20,
  files: 10_000,
} as const;

/** Milliseconds between two looks. */
const interval = 100;

/** Looks at what a process and its descendants take, and tells when it is too much. */
export class Watch {
  readonly #folder: string;
  readonly #before: Room;
  readonly #timer: NodeJS.Timeout | undefined;
  #onBreach = () => {};
  breach: SubjectFailure | undefined;

  /** `folder` is the one that the processes write to. */
  constructor(pid: number | undefined, folder: string) {
    this.#folder = folder;
    this.#before = roomAt(folder);
    if (pid !== undefined) this.#timer = setInterval(() => this.#look(pid), interval).unref();
  }

  onBreach(listener: () => void): void {
    this.#onBreach = listener;
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #look(pid: number): void {
    this.breach ??= tooMuch(pid) ?? this.#tooFull();
    if (!this.breach) return;
    this.end();
    this.#onBreach();
  }

  /** The file system is asked first; whether it is this folder that has filled it, only then. */
  #tooFull(): SubjectFailure | undefined {
    const now = roomAt(this.#folder);
    if (this.#before.bytes - now.bytes < most.disk && this.#before.files - now.files < most.files)
      return undefined;
    const taken = takenBy(this.#folder);
    if (taken.bytes > most.disk) return exceeded('disk', `${mebi(most.disk)} of files`);
    if (taken.files > most.files) return exceeded('disk', `${most.files} files`);
    return undefined;
  }
}

function tooMuch(pid: number): SubjectFailure | undefined {
  const load = loadOf(descendantsOf(pid));
  if (load.memory > most.memory) return exceeded('memory', `${mebi(most.memory)} of memory`);
  if (load.processes > most.processes) return exceeded('processes', `${most.processes} processes`);
  if (load.threads > most.threads) return exceeded('processes', `${most.threads} threads`);
  return undefined;
}

function exceeded(kind: 'memory' | 'processes' | 'disk', what: string): SubjectFailure {
  return new SubjectFailure(kind, `more than ${what}`);
}

function mebi(bytes: number): string {
  return `${bytes >> 20} MiB`;
}

interface Room {
  readonly bytes: number;
  readonly files: number;
}

function roomAt(folder: string): Room {
  try {
    const { bavail, bsize, ffree } = statfsSync(folder);
    return { bytes: bavail * bsize, files: ffree };
  } catch {
    return { bytes: 0, files: 0 };
  }
}

/** What lies in a folder, counted no further than to what is too much. */
function takenBy(folder: string): Room {
  const taken = { bytes: 0, files: 0 };
  const folders = [folder];
  for (const each of folders) {
    for (const name of namesIn(each)) {
      taken.files += 1;
      const file = statusOf(path.join(each, name));
      if (file?.isDirectory()) folders.push(path.join(each, name));
      taken.bytes += (file?.blocks ?? 0) * 512;
      if (taken.files > most.files || taken.bytes > most.disk) return taken;
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
