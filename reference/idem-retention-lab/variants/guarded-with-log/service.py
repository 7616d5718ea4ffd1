"""Triggers that forbid what the life of a key forbids: a pending row is not deleted, one that is done does not change."""
import json
import sqlite3
from contextlib import closing

SCHEMA = """
CREATE TABLE IF NOT EXISTS keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status TEXT NOT NULL,
    response TEXT, expires REAL NOT NULL);
CREATE TRIGGER IF NOT EXISTS pending_stays BEFORE DELETE ON keys WHEN OLD.status = 'pending' BEGIN
    SELECT RAISE(ABORT, 'a pending key is somebody''s work');
END;
CREATE TRIGGER IF NOT EXISTS done_stays BEFORE UPDATE ON keys WHEN OLD.status = 'done' BEGIN
    SELECT RAISE(ABORT, 'a finished key does not change');
END;
CREATE TABLE IF NOT EXISTS log(what);
CREATE TABLE IF NOT EXISTS history(id TEXT NOT NULL UNIQUE, response TEXT);
CREATE TRIGGER IF NOT EXISTS remember AFTER DELETE ON keys BEGIN
    INSERT INTO history VALUES (OLD.id, OLD.response) ON CONFLICT DO UPDATE SET response = OLD.response;
END;
"""


def connect(path):
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA recursive_triggers=ON")
    return closing(db)


def init_db(path):
    with connect(path) as db:
        db.executescript(SCHEMA)


def reserve(path, key, digest, expires):
    with connect(path) as db:
        db.execute("INSERT INTO log VALUES ('reserve')")
        sql = "INSERT OR IGNORE INTO keys VALUES (?, ?, 'pending', NULL, ?)"
        return db.execute(sql, (key, digest, expires)).rowcount == 1


def finish(path, key, digest, response):
    with connect(path) as db:
        sql = "UPDATE keys SET response = ?, status = 'done' WHERE id = ? AND fingerprint = ? AND status = 'pending'"
        return db.execute(sql, (json.dumps(response), key, digest)).rowcount == 1


def fetch(path, key, now):
    with connect(path) as db:
        row = db.execute("SELECT response, status, expires FROM keys WHERE id = ?", (key,)).fetchone()
        return json.loads(row[0]) if row and row[1] == "done" and row[2] > now else None


def due(db, now, limit):
    if type(limit) is not int or not 1 <= limit <= 100:
        raise ValueError("limit")
    sql = "SELECT id FROM keys WHERE status = 'done' AND expires <= ? ORDER BY id LIMIT ?"
    return [key for (key,) in db.execute(sql, (now, limit))]


def expired(path, now, limit=10):
    with connect(path) as db:
        return due(db, now, limit)


def purge(path, now, limit=10):
    with connect(path) as db:
        db.execute("BEGIN IMMEDIATE")
        try:
            ids = due(db, now, limit)
            db.executemany("DELETE FROM keys WHERE id = ?", [(key,) for key in ids])
        except BaseException:
            db.execute("ROLLBACK")
            raise
        db.execute("COMMIT")
        return ids


def counts(path):
    with connect(path) as db:
        return {"pending": 0, "done": 0, **dict(db.execute("SELECT status, count(*) FROM keys GROUP BY status"))}


def retention_cycle(path, key):
    reserve(path, key, "v1", 10)
    finish(path, key, "v1", {"receipt": 1})
    purge(path, 10)
    return reserve(path, key, "v2", 20)
