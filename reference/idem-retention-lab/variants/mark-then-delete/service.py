"""purge gives its rows a status of its own, deletes what has it and commits; retention_cycle is one transaction of its own SQL."""
import json
import sqlite3
from contextlib import closing

CANDIDATES = "SELECT id FROM keys WHERE status = 'done' AND expires <= ? ORDER BY id LIMIT ?"
TABLE = """CREATE TABLE IF NOT EXISTS keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status TEXT NOT NULL,
    response TEXT, expires REAL NOT NULL)"""


def connect(path):
    return closing(sqlite3.connect(path, isolation_level="IMMEDIATE"))


def check_limit(limit):
    if type(limit) is not int or not 1 <= limit <= 100:
        raise ValueError("limit")


def init_db(path):
    with connect(path) as db:
        db.execute(TABLE)


def reserve(path, key, digest, expires):
    with connect(path) as db, db:
        sql = "INSERT OR IGNORE INTO keys VALUES (?, ?, 'pending', NULL, ?)"
        return db.execute(sql, (key, digest, expires)).rowcount == 1


def finish(path, key, digest, response):
    with connect(path) as db, db:
        sql = "UPDATE keys SET response = ?, status = 'done' WHERE id = ? AND fingerprint = ? AND status = 'pending'"
        return db.execute(sql, (json.dumps(response), key, digest)).rowcount == 1


def fetch(path, key, now):
    with connect(path) as db:
        row = db.execute(
            "SELECT response FROM keys WHERE id = ? AND status = 'done' AND expires > ?", (key, now)
        ).fetchone()
        return json.loads(row[0]) if row else None


def expired(path, now, limit=10):
    check_limit(limit)
    with connect(path) as db:
        return [key for (key,) in db.execute(CANDIDATES, (now, limit))]


def purge(path, now, limit=10):
    check_limit(limit)
    with connect(path) as db, db:
        db.execute(f"UPDATE keys SET status = 'going', expires = -1 WHERE id IN ({CANDIDATES})", (now, limit))
        ids = [key for (key,) in db.execute("SELECT id FROM keys WHERE status = 'going' ORDER BY id")]
        db.execute("DELETE FROM keys WHERE status = 'going'")
        return ids


def counts(path):
    with connect(path) as db:
        return {"pending": 0, "done": 0, **dict(db.execute("SELECT status, count(*) FROM keys GROUP BY status"))}


def retention_cycle(path, key):
    with connect(path) as db, db:
        db.execute("INSERT INTO keys(id, fingerprint, status, expires) VALUES (?, 'v1', 'pending', 10)", (key,))
        db.execute("UPDATE keys SET response = json_object('receipt', 1) WHERE id = ?", (key,))
        db.execute("UPDATE keys SET status = 'done' WHERE id = ?", (key,))
        db.execute("DELETE FROM keys WHERE status = 'done' AND expires <= 10")
        db.execute("INSERT INTO keys VALUES (?, 'v2', 'pending', NULL, 20)", (key,))
        return db.execute("SELECT fingerprint FROM keys WHERE id = ?", (key,)).fetchall() == [("v2",)]
