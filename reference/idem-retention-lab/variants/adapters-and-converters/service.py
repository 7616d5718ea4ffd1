"""JSON is the driver's work: a type with __conform__ going in, a converter by the column's declared type coming out."""
import json
import sqlite3
from contextlib import closing


class Json:
    def __init__(self, value):
        self.value = value

    def __conform__(self, protocol):
        return json.dumps(self.value) if protocol is sqlite3.PrepareProtocol else None


class Seconds(float):
    pass


sqlite3.register_converter("json", json.loads)
sqlite3.register_adapter(Seconds, float)
sqlite3.register_adapter(list, json.dumps)


def connect(path):
    return closing(sqlite3.connect(path, detect_types=sqlite3.PARSE_COLNAMES | sqlite3.PARSE_DECLTYPES))


def init_db(path):
    with connect(path) as db:
        db.execute(
            "CREATE TABLE IF NOT EXISTS keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status TEXT NOT NULL,"
            " response TEXT, expires REAL NOT NULL)"
        )


def reserve(path, key, digest, expires):
    with connect(path) as db, db:
        sql = "INSERT OR IGNORE INTO keys VALUES (?, ?, 'pending', NULL, ?)"
        return db.execute(sql, (key, digest, Seconds(expires))).rowcount == 1


def finish(path, key, digest, response):
    with connect(path) as db, db:
        sql = "UPDATE keys SET response = ?, status = 'done' WHERE id = ? AND fingerprint = ? AND status = 'pending'"
        return db.execute(sql, (Json(response), key, digest)).rowcount == 1


def fetch(path, key, now):
    with connect(path) as db:
        row = db.execute(
            """SELECT response AS "response [json]", expires FROM keys WHERE id = ? AND status = 'done'""", (key,)
        ).fetchone()
        return row[0] if row and row[1] > now else None


DUE = "SELECT id FROM keys WHERE status = 'done' AND expires <= ? ORDER BY id LIMIT ?"


def check_limit(limit):
    if type(limit) is not int or not 1 <= limit <= 100:
        raise ValueError("limit")


def expired(path, now, limit=10):
    check_limit(limit)
    with connect(path) as db:
        return [key for (key,) in db.execute(DUE, (now, limit))]


def purge(path, now, limit=10):
    check_limit(limit)
    with connect(path) as db, db:
        db.execute("BEGIN IMMEDIATE")
        ids = [key for (key,) in db.execute(DUE, (now, limit))]
        db.execute("DELETE FROM keys WHERE id IN (SELECT value FROM json_each(?))", (ids,))
        return ids


def counts(path):
    with connect(path) as db:
        return {"pending": 0, "done": 0, **dict(db.execute("SELECT status, count(*) FROM keys GROUP BY status"))}


def retention_cycle(path, key):
    reserve(path, key, "v1", 10)
    finish(path, key, "v1", {"receipt": 1})
    purge(path, 10)
    return reserve(path, key, "v2", 20)
