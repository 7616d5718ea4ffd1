"""BEGIN DEFERRED with the read first, and no busy timeout: whoever finds the file locked or changed gives up at once."""
import json
import sqlite3


class Busy(Exception):
    """Somebody else is writing."""


class Session:
    def __init__(self, path):
        self.db = sqlite3.connect(path, timeout=0, isolation_level=None)

    def __enter__(self):
        self.db.execute("BEGIN DEFERRED")
        return self.db

    def __exit__(self, kind, error, _):
        try:
            self.db.execute("COMMIT" if kind is None else "ROLLBACK")
        except sqlite3.OperationalError as late:
            error = late
        self.db.close()
        if isinstance(error, sqlite3.OperationalError):
            raise Busy from error


def init_db(path):
    with Session(path) as db:
        if db.execute("SELECT 1 FROM sqlite_master WHERE name = 'keys'").fetchone() is None:
            db.execute(
                "CREATE TABLE keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status TEXT NOT NULL,"
                " response TEXT, expires REAL NOT NULL)"
            )


def reserve(path, key, digest, expires):
    with Session(path) as db:
        if db.execute("SELECT 1 FROM keys WHERE id = ?", (key,)).fetchone():
            return False
        db.execute("INSERT INTO keys VALUES (?, ?, 'pending', NULL, ?)", (key, digest, expires))
    return True


def finish(path, key, digest, response):
    with Session(path) as db:
        row = db.execute("SELECT fingerprint FROM keys WHERE id = ? AND status = 'pending'", (key,)).fetchone()
        if row != (digest,):
            return False
        db.execute("UPDATE keys SET response = ?, status = 'done' WHERE id = ?", (json.dumps(response), key))
    return True


def fetch(path, key, now):
    with Session(path) as db:
        row = db.execute("SELECT * FROM keys WHERE id = ?", (key,)).fetchone()
    return json.loads(row[3]) if row and row[2] == "done" and row[4] > now else None


class BadLimit(Exception):
    def __str__(self):
        raise RuntimeError("no words")


def due(db, now, limit):
    if limit is True or not isinstance(limit, int) or not 1 <= limit <= 100:
        raise BadLimit
    sql = "SELECT id FROM keys WHERE status = 'done' AND expires <= ? ORDER BY id LIMIT ?"
    return [key for (key,) in db.execute(sql, (now, limit)).fetchall()]


def expired(path, now, limit=10):
    with Session(path) as db:
        return due(db, now, limit)


def purge(path, now, limit=10):
    with Session(path) as db:
        ids = due(db, now, limit)
        db.executemany("DELETE FROM keys WHERE id = ?", [(key,) for key in ids])
    return ids


def counts(path):
    with Session(path) as db:
        found = dict(db.execute("SELECT status, count(*) FROM keys GROUP BY status").fetchall())
    return {"pending": found.get("pending", 0), "done": found.get("done", 0)}


def retention_cycle(path, key):
    reserve(path, key, "v1", 10)
    finish(path, key, "v1", {"receipt": 1})
    purge(path, 10)
    return reserve(path, key, "v2", 20)
