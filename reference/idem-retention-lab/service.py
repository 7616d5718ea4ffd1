"""Idempotency keys that keep a finished response for a while. All state lives in the database file."""

import json
import sqlite3
from contextlib import closing, contextmanager

MIN_LIMIT, MAX_LIMIT = 1, 100

SCHEMA = """
CREATE TABLE IF NOT EXISTS keys(
    id TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    status TEXT NOT NULL,
    response TEXT,
    expires REAL NOT NULL
)
"""

EXPIRED = "SELECT id FROM keys WHERE status = 'done' AND expires <= ? ORDER BY id LIMIT ?"


def connect(path):
    """A connection in autocommit mode: transactions are begun by name, never by the driver."""
    return closing(sqlite3.connect(path, isolation_level=None))


@contextmanager
def transaction(db):
    """The write lock from the first statement on, so that what is read stays true until COMMIT."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


def check_limit(limit):
    if isinstance(limit, bool) or not isinstance(limit, int):
        raise TypeError(f"limit must be an int, not {type(limit).__name__}")
    if not MIN_LIMIT <= limit <= MAX_LIMIT:
        raise ValueError(f"limit must be from {MIN_LIMIT} to {MAX_LIMIT}, not {limit}")


def init_db(path):
    with connect(path) as db:
        db.execute(SCHEMA)


def reserve(path, key, digest, expires):
    """Claims a key. True for the one call that gets it."""
    with connect(path) as db:
        inserted = db.execute(
            "INSERT INTO keys(id, fingerprint, status, response, expires) VALUES (?, ?, 'pending', NULL, ?)"
            " ON CONFLICT(id) DO NOTHING",
            (key, digest, expires),
        )
        return inserted.rowcount == 1


def finish(path, key, digest, response):
    """Stores the response of the request that holds the key. True if it was still pending."""
    with connect(path) as db:
        updated = db.execute(
            "UPDATE keys SET response = ?, status = 'done' WHERE id = ? AND fingerprint = ? AND status = 'pending'",
            (json.dumps(response), key, digest),
        )
        return updated.rowcount == 1


def fetch(path, key, now):
    """The stored response, until it expires."""
    with connect(path) as db:
        row = db.execute(
            "SELECT response FROM keys WHERE id = ? AND status = 'done' AND expires > ?", (key, now)
        ).fetchone()
        return None if row is None else json.loads(row[0])


def expired(path, now, limit=10):
    """What purge would take."""
    check_limit(limit)
    with connect(path) as db:
        return [row[0] for row in db.execute(EXPIRED, (now, limit))]


def purge(path, now, limit=10):
    """Forgets finished keys that have expired. A pending key is somebody's work, however old it is."""
    check_limit(limit)
    with connect(path) as db, transaction(db):
        ids = [row[0] for row in db.execute(EXPIRED, (now, limit))]
        db.executemany("DELETE FROM keys WHERE id = ?", [(key,) for key in ids])
        return ids


def counts(path):
    with connect(path) as db:
        found = dict(db.execute("SELECT status, COUNT(*) FROM keys GROUP BY status"))
        return {status: found.get(status, 0) for status in ("pending", "done")}


def retention_cycle(path, key):
    """Once its record is purged, a key is a new request: the second reservation succeeds."""
    reserve(path, key, "v1", 10)
    finish(path, key, "v1", {"receipt": 1})
    purge(path, 10)
    return reserve(path, key, "v2", 20)
