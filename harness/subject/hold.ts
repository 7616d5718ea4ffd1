import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { GraderFault, type Held, Inconclusive } from './subject.ts';

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

/**
 * Holds the write lock, starts the call, waits until its process sleeps in it, runs the statements and commits.
 * Resolves to the call's reply. SQLite's busy handler sleeps between its attempts, so a call that waits for the
 * lock is a process that has gone to sleep more than once since its request.
 */
export async function commitOnceItWaits(
  held: Held,
  pid: number | undefined,
  patience: number,
  start: () => Promise<unknown>,
): Promise<unknown> {
  const connection = new Database(held.database, { timeout: 0 });
  try {
    await retryWhileBusy(() => connection.exec('BEGIN IMMEDIATE'));
    const sleepsBefore = sleeps(pid)?.count ?? 0;
    let ended = false;
    const reply = start().finally(() => {
      ended = true;
    });
    reply.catch(() => {}); // awaited below, unless the commit fails first
    const until = performance.now() + longestLook;
    while (!ended && performance.now() < until) {
      await sleep(interval);
      const seen = sleeps(pid);
      if (seen?.asleep && seen.count >= sleepsBefore + sleepsOfAWaiter) break;
    }
    if (!ended) await sleep(patience * patienceStep);
    for (const { sql, parameters } of held.statements) connection.prepare(sql).run(...parameters);
    try {
      await retryWhileBusy(() => connection.exec('COMMIT'));
    } catch (error) {
      connection.exec('ROLLBACK');
      await reply.catch(() => {});
      throw error;
    }
    return await reply;
  } finally {
    connection.close();
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
      const code = (error as { code?: string }).code ?? '';
      if (!code.startsWith('SQLITE_BUSY')) throw new GraderFault(`SQLite: ${(error as Error).message}`);
      if (performance.now() > until) throw new Inconclusive('the database stays busy');
      await sleep(interval);
    }
  }
}

/** Whether the process sleeps now, and how often it went to sleep so far (Linux; undefined elsewhere). */
function sleeps(pid: number | undefined): { asleep: boolean; count: number } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const count = /^voluntary_ctxt_switches:\s*(\d+)/m.exec(status)?.[1];
    return { asleep: /^State:\s*S/m.test(status), count: Number(count) };
  } catch {
    return undefined;
  }
}
