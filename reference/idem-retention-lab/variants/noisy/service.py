"""Prints, logs, warns, writes temporary files, moves to another folder, and sets signal handlers, timers and exit hooks."""
import atexit
import gc
import json
import logging
import os
import random
import signal
import sqlite3
import sys
import tempfile
import warnings
from contextlib import closing

folder = tempfile.mkdtemp(prefix="noisy")
os.chdir(folder)
logging.basicConfig(filename="service.log", level=logging.DEBUG)
log = logging.getLogger(__name__)
atexit.register(lambda: print("bye"))
for name in ("SIGUSR1", "SIGALRM", "SIGTERM", "SIGINT"):
    signal.signal(getattr(signal, name), lambda number, frame: None)
signal.setitimer(signal.ITIMER_REAL, 0.002, 0.002)
sys.setrecursionlimit(5000)
warnings.simplefilter("always")
gc.disable()
random.seed(7)
sys.stderr = sys.stdout
print("{}" * 1000)


def noise(what):
    for n in range(200):
        print(n, what, "x" * 80)
    print(json.dumps(["returned", True]), flush=True)
    warnings.warn(f"{what} is called", ResourceWarning)
    log.debug("%s", what)
    with tempfile.NamedTemporaryFile("w") as file:
        file.write(what)


def connect(path):
    return closing(sqlite3.connect(path, isolation_level=None))


def init_db(path):
    noise("init_db")
    with connect(path) as db:
        db.execute(
            "CREATE TABLE IF NOT EXISTS keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status TEXT NOT NULL,"
            " response TEXT, expires REAL NOT NULL)"
        )


def reserve(path, key, digest, expires):
    noise("reserve")
    with connect(path) as db:
        sql = "INSERT OR IGNORE INTO keys VALUES (?, ?, 'pending', NULL, ?)"
        return db.execute(sql, (key, digest, expires)).rowcount == 1


def finish(path, key, digest, response):
    noise("finish")
    with connect(path) as db:
        sql = "UPDATE keys SET response = ?, status = 'done' WHERE id = ? AND fingerprint = ? AND status = 'pending'"
        return db.execute(sql, (json.dumps(response), key, digest)).rowcount == 1


def fetch(path, key, now):
    noise("fetch")
    with connect(path) as db:
        row = db.execute(
            "SELECT response FROM keys WHERE id = ? AND status = 'done' AND expires > ?", (key, now)
        ).fetchone()
        return json.loads(row[0]) if row else None


def due(db, now, limit):
    noise(f"due up to {limit!r}")
    if type(limit) is not int or not 1 <= limit <= 100:
        log.error("limit %r", limit, stack_info=True)
        raise SystemError("limit")
    sql = "SELECT id FROM keys WHERE status = 'done' AND expires <= ? ORDER BY id LIMIT ?"
    return [key for (key,) in db.execute(sql, (now, limit))]


def expired(path, now, limit=10):
    with connect(path) as db:
        return due(db, now, limit)


def purge(path, now, limit=10):
    with connect(path) as db:
        db.execute("BEGIN IMMEDIATE")
        ids = due(db, now, limit)
        db.executemany("DELETE FROM keys WHERE id = ?", [(key,) for key in ids])
        db.execute("COMMIT")
        return ids


def counts(path):
    noise("counts")
    with connect(path) as db:
        return {"pending": 0, "done": 0, **dict(db.execute("SELECT status, count(*) FROM keys GROUP BY status"))}


def retention_cycle(path, key):
    reserve(path, key, "v1", 10)
    finish(path, key, "v1", {"receipt": 1})
    purge(path, 10)
    return reserve(path, key, "v2", 20)
