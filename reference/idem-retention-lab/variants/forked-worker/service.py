"""finish and purge are done by a forked process that sends its pickled outcome back and ends without cleaning up."""
import json
import os
import pickle
import sqlite3


def forked(function):
    def call(*args):
        reading, writing = os.pipe()
        pid = os.fork()
        if not pid:
            try:
                try:
                    outcome = function(*args), None
                except Exception as error:
                    outcome = None, error
                with open(writing, "wb") as pipe:
                    pickle.dump(outcome, pipe)
            finally:
                os._exit(0)
        os.close(writing)
        with open(reading, "rb") as pipe:
            value, error = pickle.load(pipe)
        os.waitpid(pid, 0)
        if error is not None:
            raise error
        return value

    return call


def write(path, sql, *parameters):
    with sqlite3.connect(path) as db:
        return db.execute(sql, parameters).rowcount


def read(path, sql, *parameters):
    return sqlite3.connect(path).execute(sql, parameters).fetchall()


def init_db(path):
    write(
        path,
        "CREATE TABLE IF NOT EXISTS keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status TEXT NOT NULL,"
        " response TEXT, expires REAL NOT NULL)",
    )


def reserve(path, key, digest, expires):
    return write(path, "INSERT OR IGNORE INTO keys VALUES (?, ?, 'pending', NULL, ?)", key, digest, expires) == 1


@forked
def finish(path, key, digest, response):
    sql = "UPDATE keys SET response = ?, status = 'done' WHERE id = ? AND fingerprint = ? AND status = 'pending'"
    return write(path, sql, json.dumps(response), key, digest) == 1


def fetch(path, key, now):
    found = read(path, "SELECT response FROM keys WHERE id = ? AND status = 'done' AND expires > ?", key, now)
    return json.loads(found[0][0]) if found else None


DUE = "SELECT id FROM keys WHERE status = 'done' AND expires <= ? ORDER BY id LIMIT ?"


def expired(path, now, limit=10):
    if type(limit) is not int or not 1 <= limit <= 100:
        raise ValueError("limit")
    return [key for (key,) in read(path, DUE, now, limit)]


@forked
def purge(path, now, limit=10):
    if type(limit) is not int or not 1 <= limit <= 100:
        raise ValueError("limit")
    with sqlite3.connect(path) as db:
        db.execute("BEGIN IMMEDIATE")
        ids = db.execute(DUE, (now, limit)).fetchall()
        db.executemany("DELETE FROM keys WHERE id = ?", ids)
    return [key for (key,) in ids]


def counts(path):
    found = dict(read(path, "SELECT status, count(*) FROM keys GROUP BY status"))
    return {status: found.get(status, 0) for status in ("pending", "done")}


def retention_cycle(path, key):
    reserve(path, key, "v1", 10)
    finish(path, key, "v1", {"receipt": 1})
    purge(path, 10)
    return reserve(path, key, "v2", 20)
