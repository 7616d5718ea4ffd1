import { readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fieldsOf, procFile } from '../submissions.ts';

/** A process, told from a later one with the same id by the time when it started. */
interface Seen {
  readonly pid: number;
  readonly parent: number;
  /** Id and time of start. */
  readonly identity: string;
}

/** Milliseconds between two looks. */
const interval = 100;
/** Milliseconds that what has been killed has to be gone. */
const grace = 2000;

/**
 * Watches what is started while a submission is judged: all that descends from this process, at whatever time, and
 * all whose command line, environment, folder or open files name one of the places. Other processes of the machine
 * do not count.
 */
export class Watch {
  readonly #places: readonly string[];
  readonly #before: ReadonlySet<string>;
  readonly #descendants = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;

  constructor(places: readonly string[]) {
    this.#places = places;
    this.#before = new Set(everything().map(({ identity }) => identity));
    this.#timer = setInterval(() => this.look(), interval);
  }

  /** Ids of those that are still there, a moment later, with their command lines. It watches no longer. */
  async left(): Promise<Map<number, string>> {
    clearInterval(this.#timer);
    const end = performance.now() + grace;
    let left = this.look();
    while (left.size > 0 && performance.now() < end) {
      await sleep(interval);
      left = this.look();
    }
    return left;
  }

  /** Ids of those that are there now, with their command lines. */
  look(): Map<number, string> {
    const all = everything().filter(({ identity }) => !this.#before.has(identity));
    const ours = new Set([process.pid]);
    for (let size = 0; size < ours.size; ) {
      size = ours.size;
      for (const { pid, parent } of all) if (ours.has(parent)) ours.add(pid);
    }
    for (const { pid, identity } of all) if (ours.has(pid)) this.#descendants.set(identity, pid);
    const left = all.filter(({ pid, identity }) => this.#descendants.has(identity) || this.#isNamed(pid));
    return new Map(left.map(({ pid }) => [pid, procFile(pid, 'cmdline').replaceAll('\0', ' ')]));
  }

  #isNamed(pid: number): boolean {
    const texts = [procFile(pid, 'cmdline'), procFile(pid, 'environ'), link(`${pid}/cwd`)];
    const descriptors = entries(`/proc/${pid}/fd`).map((name) => link(`${pid}/fd/${name}`));
    return [...texts, ...descriptors].some((text) => this.#places.some((place) => text.includes(place)));
  }
}

/** All processes but those that have ended and wait to be asked for. */
function everything(): Seen[] {
  return entries('/proc')
    .map(Number)
    .filter((pid) => pid > 0)
    .flatMap((pid): Seen[] => {
      const stat = procFile(pid, 'stat');
      const [state, parent, ...rest] = fieldsOf(stat);
      const started = rest[17]; // the 22nd field of all, as proc(5) counts
      return stat === '' || state === 'Z' || state === 'X'
        ? []
        : [{ pid, parent: Number(parent), identity: `${pid} ${started}` }];
    });
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // it has ended, or is not ours
  }
}

function link(name: string): string {
  try {
    return readlinkSync(`/proc/${name}`);
  } catch {
    return '';
  }
}
