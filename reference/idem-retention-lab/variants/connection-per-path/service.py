"""One connection and one cursor per path, kept open at module level; its log is never checkpointed."""
import json
import sqlite3

connections: dict[str, sqlite3.Cursor] = {}


def cursor(path):
    if path not in connections:
        db = sqlite3.connect(path, isolation_level=None, cached_statements=1000)
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA wal_autocheckpoint=0")
        connections[path] = db.cursor()
    return connections[path]


class transaction:
    def __init__(self, path):
        self.cursor = cursor(path)

    def __enter__(self):
        return self.cursor.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind, *_):
        self.cursor.execute("ROLLBACK" if kind else "COMMIT")


def init_db(path):
    cursor(path).execute(
        "CREATE TABLE IF NOT EXISTS keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status TEXT NOT NULL,"
        " response TEXT, expires REAL NOT NULL)"
    )


def reserve(path, key, digest, expires):
    with transaction(path) as db:
        if db.execute("SELECT count(*) FROM keys WHERE id = ?", (key,)).fetchone() == (1,):
            return False
        db.execute("INSERT INTO keys(id, fingerprint, status, expires) VALUES (?, ?, 'pending', ?)", (key, digest, expires))
        return True


def finish(path, key, digest, response):
    cursor(path).execute(
        "UPDATE keys SET status = 'done', response = ? WHERE status = 'pending' AND fingerprint = ? AND id = ?",
        (json.dumps(response), digest, key),
    )
    return cursor(path).rowcount == 1


def fetch(path, key, now):
    cursor(path).execute("SELECT response FROM keys WHERE id = ? AND status = 'done' AND expires > ?", (key, now))
    row = cursor(path).fetchone()
    return row and json.loads(row[0])


def due(db, now, limit):
    sql = "SELECT id FROM keys WHERE status = 'done' AND expires <= ? ORDER BY id LIMIT ?"
    return [key for (key,) in db.execute(sql, (now, limit)).fetchall()]


def checked(limit):
    if isinstance(limit, bool) or not isinstance(limit, int):
        raise TypeError("limit")
    if not 1 <= limit <= 100:
        raise ValueError("limit")
    return limit


def expired(path, now, limit=10):
    return due(cursor(path), now, checked(limit))


def purge(path, now, limit=10):
    checked(limit)
    with transaction(path) as db:
        ids = due(db, now, limit)
        db.executemany("DELETE FROM keys WHERE id = ?", [(key,) for key in ids])
        return ids


def counts(path):
    found = cursor(path).execute("SELECT status, count(*) FROM keys GROUP BY status").fetchall()
    return {"pending": 0, "done": 0} | dict(found)


def retention_cycle(path, key):
    reserve(path, key, "v1", 10)
    finish(path, key, "v1", {"receipt": 1})
    purge(path, 10)
    return reserve(path, key, "v2", 20)
