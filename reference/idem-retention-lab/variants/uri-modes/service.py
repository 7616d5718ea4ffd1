"""Connections by URI, opened only as far as they need: created by init_db, written to, or read. The file is quoted."""
import json
import sqlite3
from contextlib import closing
from urllib.parse import quote


def connect(path, mode):
    return closing(sqlite3.connect(f"file:{quote(path)}?mode={mode}&cache=private", uri=True, isolation_level=None))


def init_db(path):
    with connect(path, "rwc") as db:
        db.execute(
            "CREATE TABLE IF NOT EXISTS keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status TEXT NOT NULL,"
            " response TEXT, expires REAL NOT NULL)"
        )


def reserve(path, key, digest, expires):
    with connect(path, "rw") as db:
        sql = "INSERT OR ABORT INTO keys VALUES (?, ?, 'pending', NULL, ?)"
        try:
            return db.execute(sql, (key, digest, expires)).lastrowid is not None
        except sqlite3.IntegrityError as error:
            if "UNIQUE constraint failed: keys.id" in str(error):
                return False
            raise


def finish(path, key, digest, response):
    with connect(path, "rw") as db:
        sql = "UPDATE keys SET response = ?, status = 'done' WHERE id = ? AND fingerprint = ? AND status = 'pending'"
        return db.execute(sql, (json.dumps(response), key, digest)).rowcount == 1


def fetch(path, key, now):
    with connect(path, "ro") as db:
        row = db.execute(
            "SELECT response FROM keys WHERE id = ? AND status = 'done' AND expires > ?", (key, now)
        ).fetchone()
        return json.loads(row[0]) if row else None


def due(db, now, limit):
    if type(limit) is not int or not 1 <= limit <= 100:
        raise ValueError("limit")
    sql = f"SELECT id FROM keys WHERE status = 'done' AND expires <= ? ORDER BY id LIMIT {limit}"
    return [key for (key,) in db.execute(sql, (now,))]


def expired(path, now, limit=10):
    with connect(path, "ro") as db:
        return due(db, now, limit)


def purge(path, now, limit=10):
    with connect(path, "rw") as db:
        db.execute("BEGIN IMMEDIATE")
        ids = due(db, now, limit)
        for start in range(0, len(ids), 7):
            some = ids[start : start + 7]
            db.execute(f"DELETE FROM keys WHERE id IN ({', '.join('?' for _ in some)})", some)
        db.execute("COMMIT")
        return ids


def counts(path):
    with connect(path, "ro") as db:
        return {"pending": 0, "done": 0, **dict(db.execute("SELECT status, count(*) FROM keys GROUP BY status"))}


def retention_cycle(path, key):
    reserve(path, key, "v1", 10)
    finish(path, key, "v1", {"receipt": 1})
    purge(path, 10)
    return reserve(path, key, "v2", 20)
