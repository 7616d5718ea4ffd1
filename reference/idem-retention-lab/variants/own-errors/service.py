"""Every error of the driver is raised again as one of its own, a limit is checked by the database, and waiting is its own loop."""
import json
import sqlite3
import time
from contextlib import contextmanager


class ServiceError(Exception):
    pass


class Locked(ServiceError):
    pass


class BadLimit(ServiceError, ValueError):
    pass


@contextmanager
def session(path, begin="BEGIN IMMEDIATE", attempts=40):
    db = sqlite3.connect(path, timeout=0, isolation_level=None)
    try:
        for attempt in range(attempts):
            try:
                db.execute(begin)
                break
            except sqlite3.OperationalError as error:
                if attempt == attempts - 1:
                    raise Locked(path) from error
                time.sleep(0.005 * attempt)
        yield db
        db.execute("COMMIT")
    except sqlite3.Error as error:
        raise ServiceError("the database does not do that") from error
    finally:
        db.close()


def init_db(path):
    with session(path) as db:
        db.execute(
            "CREATE TABLE IF NOT EXISTS keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status TEXT NOT NULL,"
            " response TEXT, expires REAL NOT NULL)"
        )


def reserve(path, key, digest, expires):
    try:
        with session(path) as db:
            db.execute("INSERT INTO keys VALUES (?, ?, 'pending', NULL, ?)", (key, digest, expires))
    except ServiceError as error:
        if isinstance(error.__cause__, sqlite3.IntegrityError):
            return False
        raise
    return True


def finish(path, key, digest, response):
    with session(path) as db:
        sql = "UPDATE keys SET response = ?, status = 'done' WHERE id = ? AND fingerprint = ? AND status = 'pending'"
        return db.execute(sql, (json.dumps(response), key, digest)).rowcount == 1


def fetch(path, key, now):
    with session(path, "BEGIN") as db:
        row = db.execute(
            "SELECT response FROM keys WHERE id = ? AND status = 'done' AND expires > ?", (key, now)
        ).fetchone()
        return json.loads(row[0]) if row else None


def due(db, now, limit):
    db.execute("CREATE TEMP TABLE wanted(number ANY CHECK (typeof(number) = 'integer' AND number BETWEEN 1 AND 100)) STRICT")
    try:
        db.execute("INSERT INTO wanted VALUES (?)", (str(limit) if isinstance(limit, bool) else limit,))
    except sqlite3.IntegrityError as error:
        raise BadLimit from error
    sql = """SELECT id FROM keys WHERE status = 'done' AND expires <= ? ORDER BY id LIMIT (SELECT number FROM wanted)"""
    return [key for (key,) in db.execute(sql, (now,))]


def expired(path, now, limit=10):
    with session(path, "BEGIN") as db:
        return due(db, now, limit)


def purge(path, now, limit=10):
    with session(path) as db:
        ids = due(db, now, limit)
        db.executemany("DELETE FROM keys WHERE id = ?", [(key,) for key in ids])
        return ids


def counts(path):
    with session(path, "BEGIN") as db:
        return {"pending": 0, "done": 0, **dict(db.execute("SELECT status, count(*) FROM keys GROUP BY status"))}


def retention_cycle(path, key):
    reserve(path, key, "v1", 10)
    finish(path, key, "v1", {"receipt": 1})
    purge(path, 10)
    return reserve(path, key, "v2", 20)
