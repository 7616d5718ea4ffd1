import { chownSync, constants, mkdirSync, mkdtempSync, statSync } from 'node:fs';
import path from 'node:path';
import { openForeign } from './foreign-database.ts';
import { sqliteModule, sqlitePackages } from './project.ts';
import { type Confined, type Confinement, Sandbox, type View } from './sandbox.ts';
import { openTo } from './scratch.ts';
import { onPath } from './subject/interpreter.ts';
import { nodeHost } from './subject/node.ts';
import { pythonHost } from './subject/python.ts';
import { scriptHost } from './subject/scripts.ts';

/** The byte of a database file that a writer locks: SQLite's file format, RESERVED_BYTE. */
const reservedByte = 0x40000001;

/** Exits with 0 where the lock that the grader holds is seen, and the folder can be written to. */
const pythonProbe = `
import fcntl, sys
with open(sys.argv[1], "r+b") as file:
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, ${reservedByte})
    except OSError:
        open(sys.argv[1] + "-written", "w").close()
        sys.exit(0)
sys.exit(4)
`;

/** The same by Node. */
const nodeProbe = `
const [module, database] = process.argv.slice(1);
try {
  new (require(module))(database, { timeout: 0 }).exec('BEGIN IMMEDIATE');
  process.exit(4);
} catch ({ code }) {
  if (code === 'SQLITE_BUSY') require('node:fs').writeFileSync(database + '-written', '');
  process.exit(code === 'SQLITE_BUSY' ? 0 : 5);
}
`;

/** Milliseconds that a probe may take: twenty are usual. */
const probeTime = 10_000;

export interface Probed {
  readonly confinement: Confinement;
  /** Why it is not bubblewrap's, in a few words. */
  readonly lacking?: string;
}

/**
 * The best confinement that works here: bubblewrap's; else another user's, where the grader is root; else none but
 * processes. `interpreter` is the Python that runs submissions, undefined where Node does.
 */
export async function findConfinement(
  folder: string,
  entry: string,
  interpreter: string | undefined,
  cpuSeconds: number,
): Promise<Probed> {
  const bubblewrap = onPath('bwrap');
  const sandboxed: Confinement = { isolation: 'bubblewrap', bubblewrap, cpuSeconds };
  const lacking = bubblewrap ? await probe(sandboxed, folder, interpreter) : 'it is not installed';
  if (lacking === undefined) return { confinement: sandboxed };
  const programs = [interpreter ?? process.execPath, pythonHost, scriptHost, nodeHost, entry];
  const another: Confinement = { isolation: 'user', user: nobody, cpuSeconds };
  if (process.getuid?.() === 0 && programs.every((place) => isOpenToAll(place))) {
    openTo(folder);
    if ((await probe(another, folder, interpreter)) === undefined) return { confinement: another, lacking };
  }
  return { confinement: { isolation: 'process', cpuSeconds }, lacking };
}

/** The user and the group of those who own nothing, as Linux knows them. */
const nobody = 65534;

/** Undefined where a program that is confined like this sees the grader's lock, otherwise why not. */
async function probe(
  confinement: Confinement,
  folder: string,
  interpreter: string | undefined,
): Promise<string | undefined> {
  const place = mkdtempSync(path.join(folder, 'probe-'));
  const submission = path.join(place, 'empty');
  mkdirSync(submission);
  if (confinement.user !== undefined) chownSync(place, confinement.user, confinement.user);
  const file = path.join(place, 'probe.db');
  const database = openForeign(file);
  database.exec('CREATE TABLE t(x); BEGIN IMMEDIATE');
  try {
    const view: View = interpreter
      ? { submission, programs: [interpreter], files: [] }
      : { submission, programs: [process.execPath], files: sqlitePackages() };
    const [program, args] = interpreter
      ? [interpreter, ['-I', '-S', '-c', pythonProbe, file]]
      : [process.execPath, ['-e', nodeProbe, sqliteModule(), file]];
    const options = { cwd: place, stdio: ['ignore', 'ignore', 'pipe'] as 'pipe'[], limitMemory: false };
    const sandbox = new Sandbox(confinement, place, view);
    return await outcomeOf(sandbox.start(program, args, options));
  } finally {
    database.close();
  }
}

function outcomeOf(confined: Confined): Promise<string | undefined> {
  const { child } = confined;
  let errors = '';
  child.stderr?.on('data', (data: Buffer) => {
    errors = (errors + data.toString()).slice(-500);
  });
  let timer: NodeJS.Timeout | undefined;
  return new Promise<string | undefined>((resolve) => {
    timer = setTimeout(() => {
      confined.kill();
      resolve('it does not end');
    }, probeTime);
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code) => {
      const reason = errors.trim().split('\n').at(-1) || `exit code ${code}`;
      resolve(code === 0 ? undefined : code === 4 ? "SQLite's locks do not work in it" : reason);
    });
  }).finally(() => clearTimeout(timer));
}

/** Whether any user can read it, by the permissions of the file and of the folders that it lies in. */
function isOpenToAll(place: string): boolean {
  const folder = path.dirname(place);
  const status = statSync(place);
  const wanted = status.isDirectory() ? constants.X_OK | constants.R_OK : constants.R_OK;
  return (status.mode & wanted) === wanted && (folder === place || isPassable(folder));
}

function isPassable(folder: string): boolean {
  const parent = path.dirname(folder);
  return (statSync(folder).mode & constants.X_OK) !== 0 && (parent === folder || isPassable(parent));
}
