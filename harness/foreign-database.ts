import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import Database from 'better-sqlite3';
import { staff } from './messages/staff.ts';

/* Databases that a submission has had in its hands: nothing in them is trusted, and no place is what it seems. */

/** Bytes of a database that is read: a correct submission's has some thousand. */
const mostBytes = 64 << 20;

/** Bytes that SQLite may take in this process, for all its connections. */
const heapLimit = 512 << 20;

try {
  new Database(':memory:').exec(`PRAGMA hard_heap_limit = ${heapLimit}`).close();
} catch (error) {
  // While modules are loaded an exception ends Node with code 1, a verdict.
  process.stderr.write(
    `labcheck: ${staff.noSqlite(process.version, (error as Error).message.replaceAll('\n', ' '))}\n`,
  );
  process.exit(3);
}

/** What SQLite opens by itself beside a database. */
const besides = ['-journal', '-wal', '-shm'];

/**
 * A connection that waits for no lock, and runs no function with side effects that a schema names: SQLite,
 * trusted_schema. Its defensive mode, which better-sqlite3 sets, keeps the schema from being written to.
 * Throws a SqliteError with the code `SQLITE_CANTOPEN` where the path, or what lies beside it, is no regular file (a link
 * is not followed, a FIFO would never open), `SQLITE_TOOBIG` where it is too large.
 */
export function openForeign(file: string): Database.Database {
  const [own, ...others] = ['', ...besides].map((suffix) =>
    lstatSync(file + suffix, { throwIfNoEntry: false }),
  );
  for (const status of [own, ...others])
    if (status) refuseUnfit(status, 'no regular file where the database was');
  if (!own) writeFileSync(file, '', { flag: 'wx' }); // SQLite would make one that no other user can write to
  const database = new Database(file, { timeout: 0 });
  database.exec('PRAGMA trusted_schema = OFF');
  return database;
}

/**
 * The bytes of a file that a submission has had in its hands; undefined where it is not there. Throws like
 * {@link openForeign}. What was looked at is what is read, whatever takes its place meanwhile.
 */
export function readForeign(file: string): Buffer | undefined {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  let descriptor: number;
  try {
    descriptor = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw refusal('SQLITE_CANTOPEN', `it cannot be read (${code})`);
  }
  try {
    refuseUnfit(fstatSync(descriptor), 'it is no regular file');
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function refuseUnfit(status: Stats, irregular: string): void {
  if (!status.isFile()) throw refusal('SQLITE_CANTOPEN', irregular);
  if (status.size > mostBytes) throw refusal('SQLITE_TOOBIG', `a file of ${status.size} bytes`);
}

function refusal(code: string, message: string): Error {
  return new Database.SqliteError(message, code);
}

/** Whether it is an error of SQLite's whose code begins so. */
export function isSqlite(error: unknown, prefix: string): error is Error & { code: string } {
  return error instanceof Database.SqliteError && error.code.startsWith(prefix);
}

/** Whether the machine is the reason, and not what is in the file. */
export function isOwnFault(error: unknown): boolean {
  return !isSqlite(error, 'SQLITE_') || ['SQLITE_IOERR', 'SQLITE_FULL'].some((code) => isSqlite(error, code));
}
