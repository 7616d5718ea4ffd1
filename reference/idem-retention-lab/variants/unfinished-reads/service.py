"""Cursors are left in the middle of their rows and kept, each with a connection of its own: with WAL they block nobody."""
import json
import sqlite3

left = []


def connect(path):
    db = sqlite3.connect(path, isolation_level=None)
    left.append(db)
    return db


def first(db, sql, *parameters):
    """The first row; the cursor is not read to its end, and stays."""
    left.append(db.execute(f"{sql} UNION ALL SELECT * FROM (VALUES (NULL), (NULL))", parameters))
    return left[-1].fetchone()[0]


def init_db(path):
    db = connect(path)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute(
        "CREATE TABLE IF NOT EXISTS keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status TEXT NOT NULL,"
        " response TEXT, expires REAL NOT NULL)"
    )
    first(connect(path), "SELECT name FROM sqlite_master")


def reserve(path, key, digest, expires):
    sql = "INSERT OR IGNORE INTO keys VALUES (?, ?, 'pending', NULL, ?)"
    return connect(path).execute(sql, (key, digest, expires)).rowcount == 1


def finish(path, key, digest, response):
    sql = "UPDATE keys SET response = ?, status = 'done' WHERE id = ? AND fingerprint = ? AND status = 'pending'"
    return connect(path).execute(sql, (json.dumps(response), key, digest)).rowcount == 1


def fetch(path, key, now):
    sql = "SELECT response FROM keys WHERE id = ? AND status = 'done' AND expires > ?"
    response = first(connect(path), sql, key, now)
    return response and json.loads(response)


DUE = "SELECT id FROM keys WHERE status = 'done' AND expires <= ? ORDER BY id"


def check_limit(limit):
    if type(limit) is not int or not 1 <= limit <= 100:
        raise ValueError("limit")


def expired(path, now, limit=10):
    check_limit(limit)
    left.append(connect(path).execute(DUE, (now,)))
    return [key for (key,) in left[-1].fetchmany(limit)]


def purge(path, now, limit=10):
    check_limit(limit)
    db = connect(path)
    db.execute("BEGIN IMMEDIATE")
    try:
        ids = [key for (key,) in db.execute(DUE, (now,)).fetchmany(limit)]
        for key in ids:
            db.execute("DELETE FROM keys WHERE id = ?", (key,))
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")
    return ids


def counts(path):
    db = connect(path)
    return {s: first(db, "SELECT count(*) FROM keys WHERE status = ?", s) for s in ("pending", "done")}


def retention_cycle(path, key):
    reserve(path, key, "v1", 10)
    finish(path, key, "v1", {"receipt": 1})
    purge(path, 10)
    return reserve(path, key, "v2", 20)
