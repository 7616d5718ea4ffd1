import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** The files of a folder by their relative paths: the text of each, or of a large one its size and time. */
export type Snapshot = ReadonlyMap<string, string>;

/** Bytes up to which a file is read; how deep folders are looked into. */
const mostBytes = 1 << 20;
const mostDepth = 4;

/** What is not the learner's text: what programs keep, what is being edited, what SQLite writes. */
const ignoredFolders = /^(?:\..*|__pycache__|node_modules|venv)$/;
const ignoredFiles =
  /^\.|^#.*#$|^4913$|~$|\.(?:sw[a-z]|tmp|part|bak|orig|py[co]|log|db|sqlite3?)$|-(?:journal|wal|shm)$/;

/** Code: what a submission that is judged does not write. */
const code = /\.(?:py|[cm]?[jt]sx?)$/;

export function isCode(file: string): boolean {
  return code.test(file);
}

/** Whether a save of that file, by its path in the folder, means nothing. `judged` are files that are judged themselves. */
export function isIgnored(file: string, judged: readonly string[]): boolean {
  const folders = file.split(path.sep);
  const name = folders.pop() ?? '';
  if (folders.length > mostDepth || folders.some((folder) => ignoredFolders.test(folder))) return true;
  return !judged.includes(file) && (ignoredFiles.test(name) || ignoredFolders.test(name));
}

/** What lies in the folder now. What goes while it is looked at is not there. */
export function snapshotOf(folder: string, judged: readonly string[]): Snapshot {
  const files = new Map<string, string>();
  const look = (below: string) => {
    for (const entry of namesIn(path.join(folder, below))) {
      const file = path.join(below, entry.name);
      if (isIgnored(file, judged)) continue;
      if (entry.isDirectory()) look(file);
      else if (entry.isFile() || entry.isSymbolicLink())
        read(path.join(folder, file), (text) => files.set(file, text));
    }
  };
  look('');
  return files;
}

function namesIn(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function read(file: string, put: (text: string) => void): void {
  try {
    const status = statSync(file);
    if (!status.isFile()) return; // a link to what may never end
    put(status.size > mostBytes ? `${status.size} ${status.mtimeMs}` : readFileSync(file, 'utf8'));
  } catch {
    // it has gone, or is a link to nothing
  }
}

/** The paths of files that are in one of the two and not in the other, or not the same. */
export function changedFiles(before: Snapshot, after: Snapshot): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((file) => before.get(file) !== after.get(file))
    .sort();
}
