"""Each call is done by a thread of its own, whose connection lives in a threading.local, and joined before it returns."""
import json
import sqlite3
import threading

local = threading.local()


def connection(path):
    if getattr(local, "path", None) != path:
        local.path, local.db = path, sqlite3.connect(path, timeout=3, isolation_level="IMMEDIATE")
    return local.db


def in_a_thread(function):
    def call(*args, **named):
        result = []

        def work():
            try:
                result.append((function(*args, **named), None))
            except BaseException as error:
                result.append((None, error))

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        thread.join()
        value, error = result.pop()
        if error:
            raise error
        return value

    return call


@in_a_thread
def init_db(path):
    with connection(path) as db:
        db.execute(
            "CREATE TABLE IF NOT EXISTS keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status TEXT NOT NULL,"
            " response TEXT, expires REAL NOT NULL)"
        )


@in_a_thread
def reserve(path, key, digest, expires):
    try:
        with connection(path) as db:
            db.execute("INSERT INTO keys VALUES (?, ?, 'pending', NULL, ?)", (key, digest, expires))
    except sqlite3.IntegrityError:
        return False
    return True


@in_a_thread
def finish(path, key, digest, response):
    with connection(path) as db:
        found = db.execute(
            "UPDATE keys SET response = ?, status = 'done' WHERE id = ? AND fingerprint = ? AND status = 'pending'",
            (json.dumps(response), key, digest),
        )
        return found.rowcount == 1


@in_a_thread
def fetch(path, key, now):
    sql = "SELECT response FROM keys WHERE id = ? AND status = 'done' AND expires > ?"
    for (response,) in connection(path).execute(sql, (key, now)):
        return json.loads(response)
    return None


def due(db, now, limit):
    if type(limit) is not int or limit < 1 or limit > 100:
        raise ValueError("limit")
    sql = "SELECT id FROM keys WHERE status = 'done' AND expires <= ? ORDER BY id LIMIT ?"
    return [key for (key,) in db.execute(sql, (now, limit))]


@in_a_thread
def expired(path, now, limit=10):
    return due(connection(path), now, limit)


@in_a_thread
def purge(path, now, limit=10):
    with connection(path) as db:
        db.execute("BEGIN IMMEDIATE")
        ids = due(db, now, limit)
        db.executemany("DELETE FROM keys WHERE id = ?", ([key] for key in ids))
        return ids


@in_a_thread
def counts(path):
    (row,) = connection(path).execute("SELECT sum(status = 'pending'), sum(status = 'done') FROM keys")
    return dict(zip(("pending", "done"), (number or 0 for number in row)))


def retention_cycle(path, key):
    reserve(path, key, "v1", 10)
    finish(path, key, "v1", {"receipt": 1})
    purge(path, 10)
    return reserve(path, key, "v2", 20)
