import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { dirSync, setGracefulCleanup } from 'tmp-promise';
import { roomAt } from './room.ts';
import { GraderFault } from './subject/subject.ts';

/** The magic number of tmpfs (statfs(2)). */
const tmpfs = 0x01021994;

/** A folder of this run's own, gone when the run ends, however it ends short of SIGKILL. */
export interface Scratch {
  readonly folder: string;
  remove(): void;
}

/** The beginning of the names of all runs' folders; the run's process id follows. */
const prefix = 'labcheck';
const ownName = new RegExp(`^${prefix}-(\\d+)-`);

/** Bytes without which nothing is begun: a run takes a tenth. */
const leastRoom = 64 << 20;

/** Milliseconds after which a folder that no process owns is taken to be abandoned: its run was killed. */
const abandonedAfter = 24 * 3_600_000;

/**
 * A new folder on a memory file system where there is one: fsync on a disk makes a case seven times slower. Throws a
 * {@link GraderFault} where no folder can be written to, or has room.
 */
export function openScratch(): Scratch {
  setGracefulCleanup();
  const parent = roomiest();
  removeAbandoned(parent);
  const folder = dirSync({ prefix, tmpdir: parent, unsafeCleanup: true });
  const remove = () => {
    try {
      folder.removeCallback();
    } catch {
      // a submission may have left what we cannot remove; that changes no verdict
    }
  };
  return { folder: folder.name, remove };
}

/** Where the cases of one lane lie. */
export interface Places {
  /** What the submission's processes see, and write to. */
  readonly shared: string;
  /** What only the grader sees. */
  readonly own: string;
}

/** New places in a folder; `user` is whose processes write to what is shared, if not our own's. */
export function newPlaces(folder: string, user?: number): Places {
  const [shared, own] = ['shared-', 'own-'].map((name) => mkdtempSync(path.join(folder, name))) as [
    string,
    string,
  ];
  if (user !== undefined) chownSync(shared, user, user);
  return { shared, own };
}

/** Lets another user pass through the folder, and write to files that are made from now on. */
export function openTo(folder: string): void {
  chmodSync(folder, 0o711);
  process.umask(0);
}

/** The first folder that can be written to and has room, one in memory before one on a disk. */
function roomiest(): string {
  const folders = [...new Set([tmpdir(), '/dev/shm'])].filter(isUsable);
  const [first] = [...folders.filter((folder) => statfsSync(folder).type === tmpfs), ...folders];
  if (first !== undefined) return first;
  throw new GraderFault(
    `no folder to work in: neither ${tmpdir()} nor /dev/shm can be written to and has ${leastRoom >> 20} MiB left; name one by TMPDIR`,
  );
}

function isUsable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return roomAt(folder).bytes >= leastRoom;
  } catch {
    return false;
  }
}

/** A run that is killed cannot tidy up: a later one does, when the process is gone and a day has passed. */
function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = ownName.exec(name)?.[1];
    const folder = path.join(parent, name);
    try {
      const isOld = pid !== undefined && Date.now() - lstatSync(folder).mtimeMs > abandonedAfter;
      if (isOld && !existsSync(`/proc/${pid}`)) rmSync(folder, { recursive: true, force: true });
    } catch {
      // it belongs to somebody else, or another run removes it now
    }
  }
}
