import { endSaid } from '../messages/faults.ts';
import type { KeyOf, Values } from '../messages/texts.ts';
import { type Room, roomAt, takenBy } from '../room.ts';
import { loadBelow } from './processes.ts';
import { SubjectFailure } from './subject.ts';

/** What a submission may take at a time, over all its processes. A correct one takes a hundredth. */
const most = {
  /** Bytes in memory, pages that processes share counted for each. */
  memory: 1 << 30,
  processes: 64,
  threads: 256,
  /** Bytes on the file system of its folder. */
  disk: { bytes: 512 << 20, files: 10_000 },
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
    const { bytes, files } = most.disk;
    if (this.#before.bytes - now.bytes < bytes && this.#before.files - now.files < files) return undefined;
    const taken = takenBy(this.#folder, most.disk);
    if (taken.bytes > bytes) return exceeded('disk', 'bytesOver', { mebi: bytes >> 20 });
    return taken.files > files ? exceeded('disk', 'filesOver', { number: files }) : undefined;
  }
}

function tooMuch(pid: number): SubjectFailure | undefined {
  const load = loadBelow(pid);
  if (load.memory > most.memory) return exceeded('memory', 'memoryOver', { mebi: most.memory >> 20 });
  if (load.processes > most.processes)
    return exceeded('processes', 'processesOver', { number: most.processes });
  if (load.threads > most.threads) return exceeded('processes', 'threadsOver', { number: most.threads });
  return undefined;
}

function exceeded(kind: 'memory' | 'processes' | 'disk', key: KeyOf<'ends'>, most: Values): SubjectFailure {
  return new SubjectFailure(kind, endSaid(key, most));
}
