/** One connection with its prepared statements per path, never closed; big integers inside, default exports beside. */
import Database from 'better-sqlite3';

const open = new Map();

function database(path) {
  if (!open.has(path)) {
    const db = new Database(path);
    db.pragma('journal_mode = WAL');
    db.defaultSafeIntegers();
    open.set(path, { db, statements: new Map() });
  }
  return open.get(path);
}

function sql(path, text) {
  const { db, statements } = database(path);
  if (!statements.has(text)) statements.set(text, db.prepare(text));
  return statements.get(text);
}

const due = "SELECT id FROM keys WHERE status = 'done' AND expires <= ? ORDER BY id LIMIT ?";

const checked = (limit) => {
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) throw `no limit: ${limit}`;
  return limit;
};

export const initDb = (path) =>
  database(path).db.exec(`CREATE TABLE IF NOT EXISTS keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL,
    status TEXT NOT NULL, response TEXT, expires REAL NOT NULL)`);

export const reserve = (path, key, digest, expires) =>
  sql(path, "INSERT OR IGNORE INTO keys VALUES (?, ?, 'pending', NULL, ?)").run(key, digest, expires)
    .changes > 0;

export const finish = (path, key, digest, response) =>
  sql(
    path,
    "UPDATE keys SET response = ?, status = 'done' WHERE id = ? AND fingerprint = ? AND status = 'pending' RETURNING id",
  ).all(JSON.stringify(response, undefined, '\t'), key, digest).length > 0;

export const fetch = (path, key, now) => {
  const row = sql(path, 'SELECT * FROM keys WHERE id = ?').get(key);
  return row?.status === 'done' && row.expires > now ? JSON.parse(row.response) : undefined;
};

export const expired = (path, now, limit = 10) =>
  sql(path, due)
    .all(now, checked(limit))
    .map(({ id }) => id);

export const purge = (path, now, limit = 10) =>
  sql(path, `DELETE FROM keys WHERE id IN (${due}) RETURNING id`)
    .all(now, checked(limit))
    .map(({ id }) => id)
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

export const counts = (path) => ({
  pending: 0n,
  done: 0n,
  ...Object.fromEntries(sql(path, 'SELECT status, count(*) FROM keys GROUP BY status').raw().all()),
});

export const retentionCycle = (path, key) => {
  reserve(path, key, 'v1', 10);
  finish(path, key, 'v1', { receipt: 1 });
  purge(path, 10);
  return reserve(path, key, 'v2', 20);
};

export default { initDb, reserve, finish, fetch, expired, purge, counts, retentionCycle };
