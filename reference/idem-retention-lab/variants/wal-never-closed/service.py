"""`with sqlite3.connect(...) as db`, which commits and never closes; each connection asks for WAL again."""
import json
import sqlite3


def open_db(path):
    db = sqlite3.connect(path)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=NORMAL")
    db.row_factory = sqlite3.Row
    return db


def checked(limit):
    assert type(limit) is int and 1 <= limit <= 100, "limit is an int from 1 to 100"
    return limit


def init_db(path):
    with open_db(path) as db:
        db.execute(
            "CREATE TABLE IF NOT EXISTS keys(id TEXT PRIMARY KEY,fingerprint TEXT NOT NULL,status TEXT NOT NULL,"
            "response TEXT,expires REAL NOT NULL)"
        )


def reserve(path, key, digest, expires):
    with open_db(path) as db:
        cursor = db.execute("INSERT OR IGNORE INTO keys VALUES(?,?,'pending',NULL,?)", (key, digest, expires))
    return cursor.rowcount == 1


def finish(path, key, digest, response):
    with open_db(path) as db:
        cursor = db.execute(
            "UPDATE keys SET response=?,status='done' WHERE id=? AND fingerprint=? AND status='pending'",
            (json.dumps(response), key, digest),
        )
    return cursor.rowcount == 1


def fetch(path, key, now):
    with open_db(path) as db:
        row = db.execute("SELECT * FROM keys WHERE id=?", (key,)).fetchone()
    if row is None or row["status"] != "done" or row["expires"] <= now:
        return None
    return json.loads(row["response"])


def expired(path, now, limit=10):
    with open_db(path) as db:
        found = db.execute(
            "SELECT id FROM keys WHERE status='done' AND expires<=? ORDER BY id LIMIT ?", (now, checked(limit))
        )
        return [row["id"] for row in found]


def purge(path, now, limit=10):
    checked(limit)
    with open_db(path) as db:
        db.execute("BEGIN IMMEDIATE")
        found = db.execute(
            "SELECT id FROM keys WHERE status='done' AND expires<=? ORDER BY id LIMIT ?", (now, limit)
        ).fetchall()
        ids = [row["id"] for row in found]
        marks = ",".join("?" * len(ids))
        db.execute(f"DELETE FROM keys WHERE id IN ({marks})", ids)
        return ids


def counts(path):
    with open_db(path) as db:
        row = db.execute("SELECT total(status='pending') AS p, total(status='done') AS d FROM keys").fetchone()
        return {"pending": int(row["p"]), "done": int(row["d"])}


def retention_cycle(path, key):
    reserve(path, key, "v1", 10)
    finish(path, key, "v1", {"receipt": 1})
    purge(path, 10)
    return reserve(path, key, "v2", 20)
