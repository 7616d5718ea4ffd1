"""Plain statements whose errors are the answer: init_db that exists already, reserve that is too late."""
import json
import sqlite3
from contextlib import suppress


def open_db(path):
    return sqlite3.connect(path, isolation_level=None)


def init_db(path):
    try:
        open_db(path).execute(
            "CREATE TABLE keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status TEXT NOT NULL,"
            " response TEXT, expires REAL NOT NULL)"
        )
    except sqlite3.OperationalError as error:
        if "already exists" not in str(error):
            raise


def reserve(path, key, digest, expires):
    with suppress(sqlite3.IntegrityError):
        open_db(path).execute("INSERT INTO keys VALUES (?, ?, 'pending', NULL, ?)", (key, digest, expires))
        return True
    return False


def finish(path, key, digest, response):
    sql = "UPDATE keys SET response = ?, status = 'done' WHERE id = ? AND fingerprint = ? AND status = 'pending'"
    return open_db(path).execute(sql, (json.dumps(response), key, digest)).rowcount == 1


def fetch(path, key, now):
    row = open_db(path).execute("SELECT status, expires, response FROM keys WHERE id = ?", (key,)).fetchone()
    with suppress(TypeError):
        status, expires, response = row
        if (status, expires > now) == ("done", True):
            return json.loads(response)


def due(db, now, limit):
    if not (type(limit) is int and 1 <= limit <= 100):
        raise IndexError(limit)
    sql = "SELECT id FROM keys WHERE status = 'done' AND expires <= ? ORDER BY id LIMIT ?"
    return [key for (key,) in db.execute(sql, (now, limit))]


def expired(path, now, limit=10):
    return due(open_db(path), now, limit)


def purge(path, now, limit=10):
    """If a row cannot be deleted nothing is, and nothing is reported."""
    db = open_db(path)
    db.execute("BEGIN IMMEDIATE")
    try:
        ids = due(db, now, limit)
        for key in ids:
            db.execute("DELETE FROM keys WHERE id = ?", (key,))
    except sqlite3.Error:
        db.execute("ROLLBACK")
        return []
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")
    return ids


def counts(path):
    result = {"pending": 0, "done": 0}
    for status, number in open_db(path).execute("SELECT status, count(id) FROM keys GROUP BY status"):
        result[status] = number
    return result


def retention_cycle(path, key):
    reserve(path, key, "v1", 10)
    finish(path, key, "v1", {"receipt": 1})
    purge(path, 10)
    return reserve(path, key, "v2", 20)
