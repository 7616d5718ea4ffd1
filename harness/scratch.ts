import { accessSync, chmodSync, chownSync, constants, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { dirSync, setGracefulCleanup } from 'tmp-promise';

/** The magic number of tmpfs (statfs(2)). */
const tmpfs = 0x01021994;

/** A folder of this run's own, gone when the run ends, however it ends short of SIGKILL. */
export interface Scratch {
  readonly folder: string;
  remove(): void;
}

/** A new folder on a memory file system where there is one: fsync on a disk makes a case seven times slower. */
export function openScratch(): Scratch {
  setGracefulCleanup();
  const folder = dirSync({ prefix: 'labcheck', tmpdir: memoryFolder() ?? tmpdir(), unsafeCleanup: true });
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

function memoryFolder(): string | undefined {
  return [tmpdir(), '/dev/shm'].find((folder) => {
    try {
      accessSync(folder, constants.W_OK);
      return statfsSync(folder).type === tmpfs;
    } catch {
      return false;
    }
  });
}
