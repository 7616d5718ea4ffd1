import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { isOwnFault, isSqlite, openForeign } from '../foreign-database.ts';
import { endSaid } from '../messages/faults.ts';
import { inQuarantine } from '../quarantine.ts';
import { type Schema, schemaOf } from '../schema.ts';
import { GraderFault, type Held, Inconclusive, SubjectFailure } from './subject.ts';

/** Milliseconds between two looks. */
const interval = 1;
/** Milliseconds after which a call that does not sleep is taken to have begun all the same. */
const longestLook = 250;
/** Milliseconds that each step of patience adds. */
const patienceStep = 25;
/** Milliseconds for which a busy COMMIT is tried again. */
const commitTime = 60;
/** How often a process that polls a lock has gone to sleep: once for its request, then for the lock, and again. */
const sleepsOfAWaiter = 2;

/** A call that has been made, and the process that it waits in. */
export interface UnderWay {
  readonly pid: number | undefined;
  /** See {@link sleepsOf}: what it was before the call. */
  readonly sleepsBefore: number;
  readonly reply: Promise<unknown>;
}

/**
 * Holds the write lock, starts the calls, waits until the process of each sleeps in it, runs the statements and
 * commits. Resolves to the replies. SQLite's busy handler sleeps between its attempts, so a call that waits for the
 * lock is a process that has gone to sleep more than once since its request.
 */
export async function commitOnceTheyWait(
  held: Held,
  patience: number,
  start: () => Promise<readonly UnderWay[]>,
): Promise<unknown[]> {
  const connection = await openToHold(held);
  try {
    await retryWhileBusy(() => connection.exec('BEGIN IMMEDIATE'));
    const calls = await start();
    const replies = Promise.all(calls.map(({ reply }) => reply));
    replies.catch(() => {}); // awaited below, unless the commit fails first
    await Promise.all(calls.map((call) => waiting(call)));
    await sleep(patience * patienceStep);
    try {
      for (const { sql, parameters } of held.statements) connection.prepare(sql).run(...parameters);
      await retryWhileBusy(() => connection.exec('COMMIT'));
    } catch (error) {
      if (connection.inTransaction) connection.exec('ROLLBACK'); // a trigger may have done it
      await replies.catch(() => {});
      throw isSqlite(error, 'SQLITE_CONSTRAINT')
        ? new Inconclusive('a trigger of the submission is against it')
        : error;
    }
    connection.close(); // open, it would still hold a lock where there is a write-ahead log
    return await replies;
  } finally {
    connection.close();
  }
}

/** Resolves once the call waits, has ended, or has had all the time there is. */
async function waiting({ pid, sleepsBefore, reply }: UnderWay): Promise<void> {
  let ended = false;
  const end = () => {
    ended = true;
  };
  reply.then(end, end);
  const until = performance.now() + longestLook;
  while (!ended && performance.now() < until) {
    await sleep(interval);
    const seen = look(pid);
    if (seen?.asleep && seen.sleeps >= sleepsBefore + sleepsOfAWaiter) return;
  }
}

/** Throws {@link Inconclusive} where the lock is not to be had: a submission that reads is in its right. */
async function retryWhileBusy(run: () => void): Promise<void> {
  const until = performance.now() + commitTime;
  for (;;) {
    try {
      run();
      return;
    } catch (error) {
      if (!isSqlite(error, 'SQLITE_BUSY')) throw unusable(error);
      if (performance.now() > until) throw new Inconclusive('the database stays busy');
      await sleep(interval);
    }
  }
}

/**
 * Opens the database. Where its schema may keep SQLite busy for ever, a try on a copy comes first, by a process that can be
 * ended: see quarantine.ts. Here it cannot: the lock is held by this one.
 */
async function openToHold({ database, statements }: Held): Promise<Database.Database> {
  const connection = opened(database);
  const sqls = statements.map(({ sql }) => sql);
  try {
    await retryWhileBusy(() => {
      const schema = schemaOf(connection);
      if (!schema.isTameToChange(sqls)) tryOnCopy(schema, connection.serialize(), statements);
    });
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function opened(database: string): Database.Database {
  try {
    return openForeign(database);
  } catch (error) {
    throw unusable(error);
  }
}

function tryOnCopy(schema: Schema, image: Buffer, statements: Held['statements']): void {
  try {
    inQuarantine(schema, image, { statements });
  } catch (error) {
    if (!isSqlite(error, 'SQLITE_CONSTRAINT')) throw error; // which the true one meets, too
  }
}

function unusable(error: unknown): Error {
  if (error instanceof SubjectFailure) return error;
  const { message } = error as Error;
  return isOwnFault(error)
    ? new GraderFault(`SQLite: ${message}`)
    : new SubjectFailure('crash', endSaid('databaseGone', { message }));
}

/** How often the process has gone to sleep so far. */
export function sleepsOf(pid: number | undefined): number {
  return look(pid)?.sleeps ?? 0;
}

/** Whether the process sleeps now, and how often it went to sleep so far (Linux; undefined elsewhere). */
function look(pid: number | undefined): { asleep: boolean; sleeps: number } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const sleeps = /^voluntary_ctxt_switches:\s*(\d+)/m.exec(status)?.[1];
    return { asleep: /^State:\s*S/m.test(status), sleeps: Number(sleeps) };
  } catch {
    return undefined;
  }
}
