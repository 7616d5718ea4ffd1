import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { chownSync, mkdirSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mountsOf } from './mounts.ts';
import type { Isolation } from './report/report.ts';
import { childrenOf, descendantKnownAs, killTree, loadBelow, signal } from './subject/processes.ts';
import type { SubjectFailure } from './subject/subject.ts';
import { Watch } from './subject/watch.ts';

/** How submissions of a run are confined. Plain data: threads are told it. */
export interface Confinement {
  readonly isolation: Isolation;
  /** The path of bubblewrap. */
  readonly bubblewrap?: string | undefined;
  /** The id of the user, and of its group, that processes run as where they are not confined otherwise. */
  readonly user?: number | undefined;
  /** Seconds of processor time that one process may take. */
  readonly cpuSeconds: number;
}

/** No more than processes of their own: for submissions that are trusted, and for tests. */
export const plain: Confinement = { isolation: 'process', cpuSeconds: 600 };

/** What a submission has to see beside the system. */
export interface View {
  /** The folder of the submission, which it sees by this path. */
  readonly submission: string;
  /** The path by which it sees a folder that is a copy already, and all its own. */
  readonly at?: string;
  /** Programs that run it, by their paths. */
  readonly programs: readonly string[];
  /** Files and folders of the grader's that they load. */
  readonly files: readonly string[];
}

/** Bytes that one file may grow to; descriptors a process may open. */
const fileSize = 256 << 20;
const openFiles = 1024;

/** Bytes of address space of a Python process: what is beyond is refused at once, before it is there. */
const addressSpace = 4 * 2 ** 30;

/** Where commands of a submission are started, and all that they start ends. */
export class Sandbox {
  readonly #confinement: Confinement;
  /** The one folder that a command may write to, by the same path inside and outside. */
  readonly folder: string;
  readonly #mounts: readonly string[];
  readonly #temporary: string;

  constructor(confinement: Confinement, folder: string, view: View) {
    this.#confinement = confinement;
    this.folder = folder;
    this.#temporary = path.join(folder, 'tmp');
    mkdirSync(this.#temporary, { recursive: true });
    if (confinement.user !== undefined) chownSync(this.#temporary, confinement.user, confinement.user);
    this.#mounts = confinement.bubblewrap ? mountsOf(view, folder) : [];
  }

  /** Starts a command that works in `cwd`. */
  start(
    file: string,
    args: readonly string[],
    { stdio, cwd, limitMemory }: { stdio: StdioOptions; cwd: string; limitMemory: boolean },
  ): Confined {
    const { bubblewrap, user, cpuSeconds } = this.#confinement;
    const limits = [
      'ulimit -c 0',
      `ulimit -f ${fileSize / 512}`,
      `ulimit -n ${openFiles}`,
      `ulimit -t ${Math.ceil(cpuSeconds)}`,
      ...(limitMemory ? [`ulimit -v ${addressSpace / 1024}`] : []),
    ];
    const limited = ['-c', `{ ${limits.join('; ')}; } 2>/dev/null; exec "$0" "$@"`, file, ...args];
    const shell = '/bin/sh';
    const [command, all] =
      bubblewrap === undefined
        ? [shell, limited]
        : [bubblewrap, [...namespaces, ...this.#mounts, '--chdir', cwd, '--', shell, ...limited]];
    const child = spawn(command, all, {
      cwd: bubblewrap ? '/' : cwd,
      env: this.#environment(),
      detached: true,
      stdio,
      ...(user === undefined ? {} : { uid: user, gid: user }),
    });
    return new Confined(child, bubblewrap !== undefined, new Watch(child.pid, this.folder));
  }

  /** Nothing of the grader's own environment but where programs are found. */
  #environment(): Record<string, string> {
    return {
      PATH: process.env.PATH ?? '',
      HOME: this.#temporary,
      TMPDIR: this.#temporary,
      LANG: 'C.UTF-8',
      LC_ALL: 'C.UTF-8',
      PYTHONUTF8: '1',
    };
  }
}

/** Of its own: users, processes, network, memory segments and queues, host name, control groups. See bwrap(1). */
const namespaces = [
  ...['--unshare-user', '--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts'],
  ...['--unshare-cgroup-try', '--die-with-parent', '--cap-drop', 'ALL'],
];

/** How often, and how many milliseconds apart, a command that is starting is looked for. */
const most = { looks: 100, interval: 2 };

/** A command under way, with all that it starts. */
export class Confined {
  readonly child: ChildProcess;
  readonly #hasNamespace: boolean;
  readonly #watch: Watch;

  constructor(child: ChildProcess, hasNamespace: boolean, watch: Watch) {
    this.child = child;
    this.#hasNamespace = hasNamespace;
    this.#watch = watch;
    watch.onBreach(() => this.kill());
    child.on('exit', () => watch.end());
    child.on('error', () => watch.end());
  }

  /** The limit that was broken, for which all was ended. */
  get breach(): SubjectFailure | undefined {
    return this.#watch.breach;
  }

  /** The id that we know a process by, of the id that it says it has. */
  pidOf(said: number): number | undefined {
    const { pid } = this.child;
    return this.#hasNamespace && pid !== undefined ? descendantKnownAs(pid, said) : said;
  }

  /** The id of the command itself, once it runs. */
  async commandPid(): Promise<number | undefined> {
    const { pid } = this.child;
    if (!this.#hasNamespace || pid === undefined) return pid;
    for (let look = 0; look < most.looks; look++) {
      const [first] = childrenOf(pid);
      const [command] = first === undefined ? [] : childrenOf(first);
      if (command !== undefined || this.child.exitCode !== null) return command;
      await sleep(most.interval);
    }
    return undefined;
  }

  /** Its exit code, or the negative number of the signal that ended it, which bubblewrap adds to 128. */
  exitOf(code: number | null, name: NodeJS.Signals | null): number {
    if (code === null) return -constants.signals[name ?? 'SIGKILL'];
    return this.#hasNamespace && code > 128 ? 128 - code : code;
  }

  /** How many processes it consists of now, itself and that of its namespace left out. */
  count(): number {
    const { pid } = this.child;
    if (pid === undefined) return 0;
    return loadBelow(pid).processes - (this.#hasNamespace ? 2 : 0);
  }

  /** Ends all of it. In a namespace the first process takes all others with it, and bubblewrap then ends by itself. */
  kill(): void {
    const { pid } = this.child;
    if (pid === undefined) return;
    const [first] = this.#hasNamespace ? childrenOf(pid) : [];
    if (first !== undefined) signal(first, 'SIGKILL');
    else killTree(pid);
  }
}
