"""The write-ahead log is switched on by each connection and off again before it closes, so that no file is left beside."""
import json
import sqlite3
from contextlib import contextmanager


@contextmanager
def database(path, begin="BEGIN"):
    db = sqlite3.connect(path, isolation_level=None)
    try:
        db.execute("PRAGMA journal_mode=WAL").fetchall()
        db.execute(begin)
        try:
            yield db
        except BaseException:
            db.execute("ROLLBACK")
            raise
        db.execute("COMMIT")
        db.execute("PRAGMA journal_mode=DELETE").fetchall()
    finally:
        db.close()


def check(limit):
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= 100:
        raise ValueError("limit must be an int from 1 to 100")


def init_db(path):
    with database(path) as db:
        db.execute(
            "CREATE TABLE IF NOT EXISTS keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status TEXT NOT NULL,"
            " response TEXT, expires REAL NOT NULL)"
        )


def reserve(path, key, digest, expires):
    with database(path, "BEGIN IMMEDIATE") as db:
        if db.execute("SELECT 1 FROM keys WHERE id = ?", (key,)).fetchone():
            return False
        db.execute("INSERT INTO keys VALUES (?, ?, 'pending', NULL, ?)", (key, digest, expires))
    return True


def finish(path, key, digest, response):
    with database(path, "BEGIN IMMEDIATE") as db:
        row = db.execute("SELECT fingerprint, status FROM keys WHERE id = ?", (key,)).fetchone()
        if row != (digest, "pending"):
            return False
        db.execute("UPDATE keys SET response = ?, status = 'done' WHERE id = ?", (json.dumps(response), key))
    return True


def fetch(path, key, now):
    with database(path) as db:
        row = db.execute(
            "SELECT response FROM keys WHERE id = ? AND status = 'done' AND expires > ?", (key, now)
        ).fetchone()
    return json.loads(row[0]) if row else None


def due(db, now, limit):
    sql = "SELECT id FROM keys WHERE status = 'done' AND expires <= ? ORDER BY id LIMIT ?"
    return [key for key, in db.execute(sql, (now, limit))]


def expired(path, now, limit=10):
    check(limit)
    with database(path) as db:
        ids = due(db, now, limit)
    return ids


def purge(path, now, limit=10):
    check(limit)
    with database(path, "BEGIN IMMEDIATE") as db:
        ids = due(db, now, limit)
        for key in ids:
            db.execute("DELETE FROM keys WHERE id = ?", (key,))
    return ids


def counts(path):
    result = {"pending": 0, "done": 0}
    with database(path) as db:
        for status, in db.execute("SELECT status FROM keys"):
            result[status] += 1
    return result


def retention_cycle(path, key):
    reserve(path, key, "v1", 10)
    finish(path, key, "v1", {"receipt": 1})
    purge(path, 10)
    return reserve(path, key, "v2", 20)
