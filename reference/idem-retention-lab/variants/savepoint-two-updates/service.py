"""Transactions are savepoints that begin with a write of nothing, to take the lock; the response is written before the status."""
import json
import sqlite3
from contextlib import closing, contextmanager


@contextmanager
def savepoint(path):
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("SAVEPOINT work")
        try:
            db.execute("UPDATE keys SET status = status WHERE 0")
            yield db.cursor()
        except BaseException:
            db.execute("ROLLBACK TO work")
            raise
        finally:
            db.execute("RELEASE work")


def init_db(path):
    with closing(sqlite3.connect(path)) as db:
        db.execute(
            "CREATE TABLE IF NOT EXISTS keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status TEXT NOT NULL,"
            " response TEXT, expires REAL NOT NULL)"
        )


def reserve(path, key, digest, expires):
    with savepoint(path) as db:
        free = db.execute("SELECT NOT EXISTS (SELECT * FROM keys WHERE id = ?)", (key,)).fetchone()[0]
        if free:
            db.execute("INSERT INTO keys VALUES (?, ?, 'pending', NULL, ?)", (key, digest, expires))
        return bool(free)


def finish(path, key, digest, response):
    with savepoint(path) as db:
        mine = (key, digest)
        db.execute("SELECT 1 FROM keys WHERE id = ? AND fingerprint = ? AND status = 'pending'", mine)
        if not db.fetchone():
            return False
        db.execute("UPDATE keys SET response = ? WHERE id = ? AND fingerprint = ?", (json.dumps(response), *mine))
        db.execute("UPDATE keys SET status = 'done' WHERE id = ? AND fingerprint = ?", mine)
        return True


def fetch(path, key, now):
    with closing(sqlite3.connect(path)) as db:
        row = db.execute(
            "SELECT CASE WHEN expires > ? THEN response END FROM keys WHERE id = ? AND status = 'done'", (now, key)
        ).fetchone()
    return json.loads(row[0]) if row and row[0] is not None else None


DUE = "SELECT id FROM keys WHERE status = 'done' AND expires <= ? ORDER BY id LIMIT ?"


def check_limit(limit):
    if isinstance(limit, bool):
        raise TypeError("a bool is no limit")
    range(1, 101).index(limit) if isinstance(limit, int) else [][0]


def expired(path, now, limit=10):
    check_limit(limit)
    with closing(sqlite3.connect(path)) as db:
        return [row[0] for row in db.execute(DUE, (now, limit))]


def purge(path, now, limit=10):
    check_limit(limit)
    with savepoint(path) as db:
        ids = [row[0] for row in db.execute(DUE, (now, limit))]
        for key in reversed(ids):
            db.execute("DELETE FROM keys WHERE id = ?", (key,))
        return ids


def counts(path):
    with closing(sqlite3.connect(path)) as db:
        return dict(
            db.execute(
                "SELECT column1, (SELECT count(*) FROM keys WHERE status = column1) FROM (VALUES ('pending'), ('done'))"
            )
        )


def retention_cycle(path, key):
    reserve(path, key, "v1", 10)
    finish(path, key, "v1", {"receipt": 1})
    purge(path, 10)
    return reserve(path, key, "v2", 20)
