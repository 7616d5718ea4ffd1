import { readdirSync, readFileSync } from 'node:fs';

/* What the kernel tells of processes (Linux, proc(5)); nothing where it tells none. */

/** Bytes of a page of memory. That of other machines is larger: they would allow more. */
const pageSize = 4096;

/** What a process and all that came of it take now. */
interface Load {
  readonly processes: number;
  readonly threads: number;
  /** Bytes in memory, pages that processes share counted for each. */
  readonly memory: number;
}

/** The ids of a process's children. */
export function childrenOf(pid: number): number[] {
  return entries(`/proc/${pid}/task`).flatMap((thread) => childrenOfThread(pid, thread));
}

function childrenOfThread(pid: number, thread: number | string): number[] {
  const children = read(`/proc/${pid}/task/${thread}/children`);
  return children.split(' ').filter(Boolean).map(Number);
}

/** The process's descendants, parents first. */
function descendantsOf(pid: number): number[] {
  const found = childrenOf(pid);
  for (const child of found) found.push(...childrenOf(child)); // grows as it is walked
  return found;
}

/** The load of a process's descendants. One that has just ended takes nothing. */
export function loadBelow(pid: number): Load {
  const load = { processes: 0, threads: 0, memory: 0 };
  const found = childrenOf(pid);
  for (const each of found) {
    const stat = read(`/proc/${each}/stat`);
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // the name before may hold anything
    const threads = Number(fields[17] ?? 0);
    load.processes += 1;
    load.threads += threads;
    load.memory += Number(fields[21] ?? 0) * pageSize;
    found.push(...(threads > 1 ? childrenOf(each) : childrenOfThread(each, each))); // grows as it is walked
  }
  return load;
}

/** The descendant of `pid` that knows itself, in a namespace of its own, by the id `said`. */
export function descendantKnownAs(pid: number, said: number): number | undefined {
  return descendantsOf(pid).find((each) => {
    const ids = /^NSpid:(.*)$/m.exec(read(`/proc/${each}/status`))?.[1];
    return ids?.trim().split(/\s+/).at(-1) === String(said);
  });
}

/** How often what a process has started is looked for anew: some may be forking while others are killed. */
const rounds = 20;

/**
 * Kills a process, its group, and all that came of it. Stopped meanwhile, the process starts no others, and those whose
 * parents end remain its own.
 */
export function killTree(pid: number): void {
  signal(pid, 'SIGSTOP');
  for (let round = 0; round < rounds; round++) {
    const alive = descendantsOf(pid).filter((each) => !isZombie(each));
    if (alive.length === 0) break;
    for (const each of alive) signal(each, 'SIGKILL');
  }
  signal(-pid, 'SIGKILL');
  signal(pid, 'SIGKILL');
}

/** To a process, or (negative) to a group, that may have ended. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // it has ended
  }
}

function isZombie(pid: number): boolean {
  return /^State:\s*[ZX]/m.test(read(`/proc/${pid}/status`));
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
