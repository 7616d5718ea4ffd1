"""A STRICT, WITHOUT ROWID table (SQLite 3.37) with CHECKs that every legal row passes, and NOT NULL on the id."""
import json
import sqlite3

TABLE = """
CREATE TABLE IF NOT EXISTS keys(
    id TEXT NOT NULL PRIMARY KEY CHECK (typeof(id) = 'text'),
    fingerprint TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'done')),
    response TEXT DEFAULT NULL CHECK (response IS NULL OR json_valid(response)),
    expires REAL NOT NULL CHECK (typeof(expires) = 'real'),
    CONSTRAINT answered_when_done CHECK ((status = 'done') = (response IS NOT NULL))
) STRICT, WITHOUT ROWID
"""


class Database:
    def __init__(self, path):
        self.connection = sqlite3.connect(path)

    def __enter__(self):
        return self.connection

    def __exit__(self, kind, *_):
        if kind is None:
            self.connection.commit()
        self.connection.close()


def init_db(path):
    with Database(path) as db:
        db.execute(TABLE)


def reserve(path, key, digest, expires):
    with Database(path) as db:
        return 1 == db.execute(
            "INSERT OR IGNORE INTO keys(expires, id, fingerprint) VALUES (?, ?, ?)", (expires, key, digest)
        ).rowcount


def finish(path, key, digest, response):
    with Database(path) as db:
        return 1 == db.execute(
            "UPDATE keys SET status = 'done', response = :response"
            " WHERE id = :id AND fingerprint = :digest AND status = 'pending'",
            {"response": json.dumps(response), "id": key, "digest": digest},
        ).rowcount


def fetch(path, key, now):
    with Database(path) as db:
        for status, response, expires in db.execute("SELECT status, response, expires FROM keys WHERE id = ?", [key]):
            if status == "done" and now < expires:
                return json.loads(response)


def candidates(db, now, limit):
    if isinstance(limit, bool) or not isinstance(limit, int) or limit not in range(1, 101):
        raise TypeError("limit")
    found = db.execute("SELECT id FROM keys WHERE status = 'done' AND expires <= ? ORDER BY 1 LIMIT ?", (now, limit))
    return [row[0] for row in found]


def expired(path, now, limit=10):
    with Database(path) as db:
        return candidates(db, now, limit)


def purge(path, now, limit=10):
    with Database(path) as db:
        db.execute("BEGIN IMMEDIATE")
        ids = candidates(db, now, limit)
        db.executemany("DELETE FROM keys WHERE id = ?", zip(ids))
        return ids


def counts(path):
    with Database(path) as db:
        return {
            status: db.execute("SELECT count(*) FROM keys WHERE status = ?", (status,)).fetchone()[0]
            for status in ("done", "pending")
        }


def retention_cycle(path, key):
    reserve(path, key, "v1", 10)
    finish(path, key, "v1", {"receipt": 1})
    purge(path, 10)
    return reserve(path, key, "v2", 20)
