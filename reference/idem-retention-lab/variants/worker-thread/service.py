"""One worker thread, started with the module and never stopped, owns all connections; calls are sent to it."""
import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from functools import wraps

worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="owner")
databases = {}


def database(path):
    return databases.setdefault(path, None) or databases.update({path: sqlite3.connect(path)}) or databases[path]


def by_worker(function):
    @wraps(function)
    def send(path, *args, **named):
        return worker.submit(lambda: function(database(path), *args, **named)).result()

    return send


@by_worker
def init_db(db):
    if not db.execute("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'keys'").fetchone()[0]:
        db.execute(
            "CREATE TABLE keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status TEXT NOT NULL,"
            " response TEXT, expires REAL NOT NULL)"
        )
    db.commit()


@by_worker
def reserve(db, key, digest, expires):
    with db:
        return db.execute(
            "INSERT INTO keys VALUES (?, ?, 'pending', NULL, ?) ON CONFLICT(id) DO NOTHING", (key, digest, expires)
        ).rowcount == 1


@by_worker
def finish(db, key, digest, response):
    with db:
        return db.execute(
            "UPDATE keys SET response = ?, status = 'done' WHERE id = ? AND fingerprint = ? AND status = 'pending'",
            (json.dumps(response), key, digest),
        ).rowcount == 1


@by_worker
def fetch(db, key, now):
    row = db.execute("SELECT response FROM keys WHERE id = ? AND status = 'done' AND expires > ?", (key, now)).fetchone()
    return json.loads(row[0]) if row else None


def due(db, now, limit):
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= 100:
        raise ValueError("limit")
    sql = "SELECT id FROM keys WHERE status = 'done' AND expires <= ? ORDER BY id LIMIT ?"
    return [key for (key,) in db.execute(sql, (now, limit))]


@by_worker
def expired(db, now, limit=10):
    return due(db, now, limit)


@by_worker
def purge(db, now, limit=10):
    with db:
        db.execute("BEGIN IMMEDIATE")
        ids = due(db, now, limit)
        db.executemany("DELETE FROM keys WHERE id = ?", [(key,) for key in ids])
        return ids


@by_worker
def counts(db):
    return {"pending": 0, "done": 0, **dict(db.execute("SELECT status, count(*) FROM keys GROUP BY status"))}


def retention_cycle(path, key):
    reserve(path, key, "v1", 10)
    finish(path, key, "v1", {"receipt": 1})
    purge(path, 10)
    return reserve(path, key, "v2", 20)
