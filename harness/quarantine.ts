import { spawnSync } from 'node:child_process';
import { deserialize, serialize } from 'node:v8';
import Database from 'better-sqlite3';
import { endSaid } from './messages/faults.ts';
import { projectFile, sqliteModule } from './project.ts';
import type { Schema } from './schema.ts';
import { GraderFault, type Statement, SubjectFailure } from './subject/subject.ts';

/** Seconds of processor time that SQLite, and the start of Node, may take for a statement of ours: 0.1 is usual. */
const cpuSeconds = 2;
/** Milliseconds until the same is given up on a machine that has no time for it. */
const patience = 30_000;

/** Bytes of an answer. */
const mostBytes = 64 << 20;

/** Rows that are read of a table: no case has a thousand. */
export const mostRows = 10_000;

/** What is to be done: statements in a transaction of their own, or a query. */
export type Work = { readonly statements: readonly Statement[] } | { readonly query: string };

interface Outcome {
  readonly rows?: unknown[][];
  readonly code?: string;
  readonly message?: string;
  readonly phase?: 'begin' | 'commit';
}

/**
 * Does it in a process that is ended when it takes too long: what a submission's triggers, views and constraints have
 * SQLite do may never end, and nothing stops a call that is under way in this process. What did not end is not tried
 * again. In place of a file there may be the bytes of a database: those afterwards come back as the only cell. Throws a
 * SqliteError, which has the property `committing` where the transaction itself was done, and a {@link SubjectFailure}.
 */
export function inQuarantine(schema: Schema, file: string | Buffer, work: Work): unknown[][] {
  if (schema.refusal) throw schema.refusal;
  const node = [
    process.execPath,
    '--max-old-space-size=256',
    projectFile('harness/quarantine.mjs'),
    sqliteModule(),
  ];
  const { stdout, error, status, signal } = spawnSync(
    '/bin/sh',
    ['-c', `ulimit -t ${cpuSeconds}; exec "$0" "$@"`, ...node],
    {
      input: serialize({ file, mostRows, ...work }),
      timeout: patience,
      killSignal: 'SIGKILL',
      maxBuffer: mostBytes,
      stdio: ['pipe', 'pipe', 'ignore'],
    },
  );
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  const spent = signal === 'SIGXCPU' || signal === 'SIGKILL' || code === 'ENOBUFS';
  if (code === 'ETIMEDOUT') throw new GraderFault('the machine has no time for a statement');
  if (error && !spent) throw new GraderFault(`node does not start: ${error.message}`);
  if (spent || status !== 0) {
    schema.refusal = spent
      ? new SubjectFailure('timeout', endSaid('endlessSchema'))
      : new SubjectFailure('memory', endSaid('hungrySchema'));
    throw schema.refusal;
  }
  const outcome = deserialize(stdout) as Outcome;
  if (outcome.rows) return outcome.rows;
  const refused = new Database.SqliteError(outcome.message ?? '', outcome.code ?? 'SQLITE_ERROR');
  throw Object.assign(refused, { committing: outcome.phase === 'commit' });
}
