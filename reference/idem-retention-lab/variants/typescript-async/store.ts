import { setImmediate as nextTurn } from 'node:timers/promises';
import Database from 'better-sqlite3';

class RefusedLimit extends RangeError {}

async function within<T>(path: string, work: (db: Database.Database) => T): Promise<T> {
  await nextTurn();
  const db = new Database(path);
  try {
    return db.transaction(work).immediate(db);
  } finally /* Stryker disable next-line BlockStatement: an open connection is no fault */ {
    db.close();
    await nextTurn();
  }
}

function due(db: Database.Database, now: number, limit: number): string[] {
  if (typeof limit !== 'number' || limit % 1 !== 0 || limit < 1 || limit > 100) throw new RefusedLimit();
  const rows = db
    .prepare<[number], { id: string }>(
      "SELECT id FROM keys WHERE status = 'done' AND expires <= ? ORDER BY id",
    )
    .all(now);
  return rows.slice(0, limit).map(({ id }) => id);
}

/** A namespace of functions that need no `this`. */
// biome-ignore lint/complexity/noStaticOnlyClass: an unusual submission
export class Store {
  static initDb = (path: string) =>
    within(path, (db) => {
      db.exec(`CREATE TABLE IF NOT EXISTS keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status TEXT NOT NULL,
        response TEXT, expires REAL NOT NULL) WITHOUT ROWID`);
    });

  static reserve = (path: string, id: string, digest: string, expires: number) =>
    within(path, (db) => {
      if (db.prepare('SELECT 1 FROM keys WHERE id = ?').get(id)) return false;
      db.prepare("INSERT INTO keys VALUES (@id, @digest, 'pending', NULL, @expires)").run({
        id,
        digest,
        expires,
      });
      return true;
    });

  static finish = (path: string, id: string, digest: string, response: unknown) =>
    within(path, (db) => {
      const sql =
        "UPDATE keys SET response = ?, status = 'done' WHERE id = ? AND fingerprint = ? AND status = 'pending'";
      return db.prepare(sql).run(JSON.stringify(response), id, digest).changes === 1;
    });

  static fetch = (path: string, id: string, now: number): Promise<unknown> =>
    within(path, (db) => {
      const sql = "SELECT response FROM keys WHERE id = ? AND status = 'done' AND expires > ?";
      for (const { response } of db.prepare<[string, number], { response: string }>(sql).iterate(id, now)) {
        return Object.freeze(JSON.parse(response));
      }
    });

  static expired = (path: string, now: number, limit = 10) => within(path, (db) => due(db, now, limit));

  static purge = (path: string, now: number, limit = 10) =>
    within(path, (db) => {
      const ids = due(db, now, limit);
      for (const id of ids) db.prepare('DELETE FROM keys WHERE id = ?').run(id);
      return ids;
    });

  static counts = (path: string) =>
    within(path, (db) => {
      const found = Object.create(null);
      for (const status of ['pending', 'done']) {
        found[status] = db.prepare('SELECT count(*) FROM keys WHERE status = ?').pluck().get(status);
      }
      return found;
    });
}
