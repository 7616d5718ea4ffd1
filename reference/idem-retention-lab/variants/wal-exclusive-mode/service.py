"""WAL is set once, in init_db; every connection then takes the whole file for itself (locking_mode=EXCLUSIVE) until it closes."""
import json
import sqlite3
from contextlib import closing


def open_db(path):
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA locking_mode=EXCLUSIVE")
    return closing(db)


def due(db, now, limit):
    if type(limit) != int or not 1 <= limit <= 100:
        raise ValueError("limit")
    sql = "SELECT id FROM keys WHERE status = 'done' AND expires <= ? ORDER BY id LIMIT ?"
    return [key for (key,) in db.execute(sql, (now, limit))]


def init_db(path):
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode=WAL")
        db.executescript(
            """
            BEGIN;
            CREATE TABLE IF NOT EXISTS keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status TEXT NOT NULL,
                response TEXT, expires REAL NOT NULL);
            CREATE INDEX IF NOT EXISTS keys_due ON keys(expires) WHERE status = 'done';
            COMMIT;
            """
        )


def reserve(path, key, digest, expires):
    with open_db(path) as db:
        cursor = db.execute(
            "INSERT INTO keys SELECT ?1, ?2, 'pending', NULL, ?3 WHERE NOT EXISTS (SELECT 1 FROM keys WHERE id = ?1)",
            (key, digest, expires),
        )
        return cursor.rowcount > 0


def finish(path, key, digest, response):
    with open_db(path) as db:
        cursor = db.execute(
            "UPDATE keys SET response = ?, status = 'done' WHERE id = ? AND fingerprint = ? AND response IS NULL",
            (json.dumps(response), key, digest),
        )
        return cursor.rowcount > 0


def fetch(path, key, now):
    with open_db(path) as db:
        cursor = db.execute("SELECT response FROM keys WHERE id = ? AND expires > ? AND status = 'done'", (key, now))
        return next((json.loads(response) for (response,) in cursor), None)


def expired(path, now, limit=10):
    with open_db(path) as db:
        return due(db, now, limit)


def purge(path, now, limit=10):
    with open_db(path) as db:
        db.execute("BEGIN EXCLUSIVE")
        try:
            ids = due(db, now, limit)
            db.executemany("DELETE FROM keys WHERE id = ?", [[key] for key in ids])
        except BaseException:
            db.rollback()
            raise
        db.commit()
        return ids


def counts(path):
    with open_db(path) as db:
        return {**{"pending": 0, "done": 0}, **dict(db.execute("SELECT status, count(*) FROM keys GROUP BY 1"))}


def retention_cycle(path, key):
    reserve(path, key, "v1", 10)
    finish(path, key, "v1", {"receipt": 1})
    purge(path, 10)
    return reserve(path, key, "v2", 20)
