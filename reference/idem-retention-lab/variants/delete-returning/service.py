"""Every write is one autocommitted statement with RETURNING (SQLite 3.35); purge sorts what came back in Python."""
import json
import sqlite3
from contextlib import closing


def rows(path, sql, *parameters):
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        return db.execute(sql, parameters).fetchall()


def check(limit):
    if type(limit) is not int or not 0 < limit < 101:
        raise ValueError(limit)


def init_db(path):
    rows(
        path,
        "CREATE TABLE IF NOT EXISTS keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status TEXT NOT NULL,"
        " response TEXT, expires REAL NOT NULL)",
    )


def reserve(path, key, digest, expires):
    sql = "INSERT INTO keys VALUES (?, ?, 'pending', NULL, ?) ON CONFLICT DO NOTHING RETURNING 1"
    return bool(rows(path, sql, key, digest, expires))


def finish(path, key, digest, response):
    sql = (
        "UPDATE keys SET (status, response) = ('done', ?) WHERE (id, fingerprint, status) = (?, ?, 'pending')"
        " RETURNING 1"
    )
    return rows(path, sql, json.dumps(response), key, digest) != []


def fetch(path, key, now):
    found = rows(path, "SELECT response FROM keys WHERE id = ? AND status = 'done' AND expires > ?", key, now)
    return json.loads(found[0][0]) if found else None


DUE = "SELECT id FROM keys WHERE status = 'done' AND expires <= ? ORDER BY id LIMIT ?"


def expired(path, now, limit=10):
    check(limit)
    return [key for (key,) in rows(path, DUE, now, limit)]


def purge(path, now, limit=10):
    check(limit)
    return sorted(key for (key,) in rows(path, f"DELETE FROM keys WHERE id IN ({DUE}) RETURNING id", now, limit))


def counts(path):
    ((pending, done),) = rows(
        path, "SELECT count(*) FILTER (WHERE status = 'pending'), count(*) FILTER (WHERE status = 'done') FROM keys"
    )
    return {"pending": pending, "done": done}


def retention_cycle(path, key):
    reserve(path, key, "v1", 10)
    finish(path, key, "v1", {"receipt": 1})
    purge(path, 10)
    return reserve(path, key, "v2", 20)
