"""The connection's own database is in memory and the file is attached to it; purge collects its ids in a temporary table."""
import json
import sqlite3
from contextlib import contextmanager


@contextmanager
def attached(path):
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.execute("ATTACH ? AS file", (path,))
    yield db
    db.close()


def init_db(path):
    with attached(path) as db:
        db.execute(
            "CREATE TABLE IF NOT EXISTS file.keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL,"
            " status TEXT NOT NULL, response TEXT, expires REAL NOT NULL)"
        )


def reserve(path, key, digest, expires):
    with attached(path) as db:
        sql = "INSERT OR IGNORE INTO file.keys VALUES (?, ?, 'pending', NULL, ?)"
        return db.execute(sql, (key, digest, expires)).rowcount == 1


def finish(path, key, digest, response):
    with attached(path) as db:
        sql = "UPDATE file.keys SET response = ?, status = 'done' WHERE id = ? AND fingerprint = ? AND status = 'pending'"
        return db.execute(sql, (json.dumps(response), key, digest)).rowcount == 1


def fetch(path, key, now):
    with attached(path) as db:
        row = db.execute(
            "SELECT response FROM file.keys WHERE id = ? AND status = 'done' AND expires > ?", (key, now)
        ).fetchone()
        return json.loads(row[0]) if row else None


DUE = "SELECT id FROM file.keys WHERE status = 'done' AND expires <= ? ORDER BY id LIMIT ?"


def check_limit(limit):
    if type(limit) is not int or not 1 <= limit <= 100:
        raise ValueError("limit")


def expired(path, now, limit=10):
    check_limit(limit)
    with attached(path) as db:
        return [key for (key,) in db.execute(DUE, (now, limit))]


def purge(path, now, limit=10):
    check_limit(limit)
    with attached(path) as db:
        db.execute("CREATE TEMP TABLE gone(id TEXT)")
        db.execute("BEGIN IMMEDIATE")
        db.execute(f"INSERT INTO gone {DUE}", (now, limit))
        db.execute("DELETE FROM file.keys WHERE id IN (SELECT id FROM gone)")
        db.execute("COMMIT")
        return [key for (key,) in db.execute("SELECT id FROM gone ORDER BY id")]


def counts(path):
    with attached(path) as db:
        return {"pending": 0, "done": 0, **dict(db.execute("SELECT status, count(*) FROM file.keys GROUP BY status"))}


def retention_cycle(path, key):
    reserve(path, key, "v1", 10)
    finish(path, key, "v1", {"receipt": 1})
    purge(path, 10)
    return reserve(path, key, "v2", 20)
