"""Every call, reads included, writes a row into a log table of its own, in the transaction of its work."""
import json
import sqlite3
import time
from contextlib import contextmanager


@contextmanager
def logged(path, what):
    db = sqlite3.connect(path, isolation_level="EXCLUSIVE")
    try:
        with db:
            db.execute("INSERT INTO log(at, what) VALUES (?, ?)", (time.time(), what))
            yield db
    finally:
        db.close()


def init_db(path):
    db = sqlite3.connect(path)
    with db:
        db.execute("CREATE TABLE IF NOT EXISTS log(n INTEGER PRIMARY KEY AUTOINCREMENT, at REAL, what TEXT)")
        db.execute(
            "CREATE TABLE IF NOT EXISTS keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status TEXT NOT NULL,"
            " response TEXT, expires REAL NOT NULL)"
        )
    db.close()


def reserve(path, key, digest, expires):
    with logged(path, "reserve") as db:
        known = db.execute("SELECT count(*) FROM keys WHERE id = ?", (key,)).fetchone()[0]
        if not known:
            db.execute("INSERT INTO keys VALUES (?, ?, 'pending', NULL, ?)", (key, digest, expires))
    return not known


def finish(path, key, digest, response):
    with logged(path, "finish") as db:
        sql = "UPDATE keys SET response = ?, status = 'done' WHERE id = ? AND fingerprint = ? AND status = 'pending'"
        return db.execute(sql, (json.dumps(response), key, digest)).rowcount == 1


def fetch(path, key, now):
    with logged(path, "fetch") as db:
        sql = "SELECT response FROM keys WHERE id = ? AND status = 'done' AND expires > ?"
        row = db.execute(sql, (key, now)).fetchone()
        return json.loads(row[0]) if row else None


def due(db, now, limit):
    if type(limit) is not int or not 1 <= limit <= 100:
        raise ValueError("limit")
    sql = "SELECT id FROM keys WHERE status = 'done' AND expires <= ? ORDER BY id LIMIT ?"
    return [key for (key,) in db.execute(sql, (now, limit)).fetchall()]


def expired(path, now, limit=10):
    with logged(path, "expired") as db:
        return due(db, now, limit)


def purge(path, now, limit=10):
    with logged(path, "purge") as db:
        ids = due(db, now, limit)
        for key in ids:
            db.execute("DELETE FROM keys WHERE id = ?", (key,))
        return ids


def counts(path):
    with logged(path, "counts") as db:
        (pending,) = db.execute("SELECT count(*) FROM keys WHERE status = 'pending'").fetchone()
        (done,) = db.execute("SELECT count(*) FROM keys WHERE status = 'done'").fetchone()
        return dict(pending=pending, done=done)


def retention_cycle(path, key):
    reserve(path, key, "v1", 10)
    finish(path, key, "v1", {"receipt": 1})
    purge(path, 10)
    return reserve(path, key, "v2", 20)
