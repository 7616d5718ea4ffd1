/** A CommonJS module whose functions are assigned one by one and whose helper is required when it is needed. */
const Database = require('better-sqlite3');

const withDatabase =
  (work) =>
  (path, ...args) => {
    const db = Database(path);
    try {
      return work(db, ...args);
    } finally {
      db.close();
    }
  };

exports.initDb = withDatabase((db) => {
  db.exec(`CREATE TABLE IF NOT EXISTS keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status TEXT NOT NULL,
    response TEXT, expires REAL NOT NULL)`);
});

exports.reserve = withDatabase((db, key, digest, expires) => {
  try {
    db.prepare("INSERT INTO keys VALUES (?, ?, 'pending', NULL, ?)").run(key, digest, expires);
    return true;
  } catch (error) {
    if (error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY') return false;
    throw error;
  }
});

exports.finish = withDatabase((db, key, digest, response) => {
  const sql =
    "UPDATE keys SET response = ?, status = 'done' WHERE id = ? AND fingerprint = ? AND status = 'pending'";
  return Boolean(db.prepare(sql).run(JSON.stringify(response), key, digest).changes);
});

exports.fetch = withDatabase((db, key, now) => {
  const sql = "SELECT response FROM keys WHERE id = ? AND status = 'done' AND expires > ?";
  return JSON.parse(db.prepare(sql).pluck().get(key, now) ?? 'null');
});

exports.expired = withDatabase((db, now, limit = 10) => require('./due.js')(db, now, limit));

exports.purge = withDatabase((db, now, limit = 10) => {
  db.exec('BEGIN IMMEDIATE');
  const ids = require('./due.js')(db, now, limit);
  for (const id of ids) db.prepare('DELETE FROM keys WHERE id = ?').run(id);
  db.exec('COMMIT');
  return ids;
});

exports.counts = withDatabase((db) =>
  db
    .prepare(
      "SELECT count(*) FILTER (WHERE status = 'pending') pending, count(*) FILTER (WHERE status = 'done') done FROM keys",
    )
    .get(),
);

exports.retentionCycle = (path, key) => {
  exports.reserve(path, key, 'v1', 10);
  exports.finish(path, key, 'v1', { receipt: 1 });
  exports.purge(path, 10);
  return exports.reserve(path, key, 'v2', 20);
};
