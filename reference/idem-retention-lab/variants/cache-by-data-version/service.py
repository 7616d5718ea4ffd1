"""Rows are kept in memory for reading, as long as PRAGMA data_version says that nobody else has written."""
import bisect
import json
import sqlite3


class Table:
    def __init__(self, path):
        self.db = sqlite3.connect(path, isolation_level=None)
        self.version, self.rows, self.ids = None, {}, []

    def read(self):
        (version,) = self.db.execute("PRAGMA data_version").fetchone()
        if version != self.version:
            self.rows = {row[0]: row for row in self.db.execute("SELECT id, fingerprint, status, response, expires FROM keys")}
            self.ids = sorted(self.rows)
            self.version = version
        return self.rows

    def write(self, sql, *parameters):
        self.version = None  # one's own writes do not change it
        return self.db.execute(sql, parameters).rowcount == 1


tables = {}


def table(path):
    if path not in tables:
        tables[path] = Table(path)
    return tables[path]


def init_db(path):
    table(path).write(
        "CREATE TABLE IF NOT EXISTS keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status TEXT NOT NULL,"
        " response TEXT, expires REAL NOT NULL)"
    )


def reserve(path, key, digest, expires):
    return table(path).write("INSERT OR IGNORE INTO keys VALUES (?, ?, 'pending', NULL, ?)", key, digest, expires)


def finish(path, key, digest, response):
    sql = "UPDATE keys SET response = ?, status = 'done' WHERE id = ? AND fingerprint = ? AND status = 'pending'"
    return table(path).write(sql, json.dumps(response), key, digest)


def fetch(path, key, now):
    row = table(path).read().get(key)
    return json.loads(row[3]) if row and row[2] == "done" and row[4] > now else None


def due(keys, now, limit):
    if type(limit) is not int or not bisect.bisect_left(range(1, 101), limit) == limit - 1 < 100:
        raise ValueError("limit")
    rows = keys.read()
    return [key for key in keys.ids if rows[key][2] == "done" and rows[key][4] <= now][:limit]


def expired(path, now, limit=10):
    return due(table(path), now, limit)


def purge(path, now, limit=10):
    keys = table(path)
    keys.db.execute("BEGIN IMMEDIATE")
    try:
        ids = due(keys, now, limit)
        for key in ids:
            keys.write("DELETE FROM keys WHERE id = ?", key)
    except BaseException:
        keys.db.execute("ROLLBACK")
        raise
    keys.db.execute("COMMIT")
    return ids


def counts(path):
    statuses = [row[2] for row in table(path).read().values()]
    return {status: statuses.count(status) for status in ("pending", "done")}


def retention_cycle(path, key):
    reserve(path, key, "v1", 10)
    finish(path, key, "v1", {"receipt": 1})
    purge(path, 10)
    return reserve(path, key, "v2", 20)
