"""purge deletes the least id again and again in one transaction; the connection is a class of its own, rows are named."""
import json
import sqlite3
from collections import namedtuple


class Connection(sqlite3.Connection):
    def __init__(self, *args, **named):
        super().__init__(*args, **named)
        self.row_factory = lambda cursor, row: namedtuple("Row", [column[0] for column in cursor.description])(*row)
        self.text_factory = lambda data: str(data, "utf-8")

    def __enter__(self):
        self.execute("BEGIN IMMEDIATE")
        return self

    def __exit__(self, kind, *_):
        self.execute("COMMIT" if kind is None else "ROLLBACK")
        self.close()

    def one(self, sql, *parameters):
        return self.execute(sql, parameters).fetchone()


def connect(path):
    return sqlite3.connect(path, factory=Connection, isolation_level=None, timeout=1)


def init_db(path):
    with connect(path) as db:
        if not db.one("SELECT name FROM sqlite_master WHERE type = 'table' AND name = ?", "keys"):
            db.execute(
                "CREATE TABLE keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status TEXT NOT NULL,"
                " response TEXT, expires REAL NOT NULL)"
            )


def reserve(path, key, digest, expires):
    with connect(path) as db:
        return not db.one("SELECT id FROM keys WHERE id = ?", key) and bool(
            db.execute("INSERT INTO keys VALUES (?, ?, 'pending', NULL, ?)", (key, digest, expires))
        )


def finish(path, key, digest, response):
    with connect(path) as db:
        row = db.one("SELECT fingerprint, status FROM keys WHERE id = ?", key)
        ok = row is not None and row.fingerprint == digest and row.status == "pending"
        if ok:
            db.execute("UPDATE keys SET response = ?, status = 'done' WHERE id = ?", (json.dumps(response), key))
        return ok


def fetch(path, key, now):
    with connect(path) as db:
        row = db.one("SELECT response, status, expires FROM keys WHERE id = ?", key)
        return json.loads(row.response) if row and row.status == "done" and row.expires > now else None


def check_limit(limit):
    if {bool: True, int: not 1 <= limit <= 100 if isinstance(limit, int) else True}.get(type(limit), True):
        raise ValueError("limit")


def expired(path, now, limit=10):
    check_limit(limit)
    with connect(path) as db:
        sql = "SELECT id FROM keys WHERE status = 'done' AND expires <= ? ORDER BY id"
        return [row.id for row in db.execute(sql, (now,))][:limit]


def purge(path, now, limit=10):
    check_limit(limit)
    gone = []
    with connect(path) as db:
        while len(gone) < limit:
            row = db.one("SELECT min(id) AS id FROM keys WHERE status = 'done' AND expires <= ?", now)
            if row.id is None:
                break
            db.execute("DELETE FROM keys WHERE id = ?", (row.id,))
            gone.append(row.id)
    return gone


def counts(path):
    with connect(path) as db:
        return db.one(
            "SELECT count(CASE status WHEN 'pending' THEN 1 END) AS pending,"
            " count(CASE status WHEN 'done' THEN 1 END) AS done FROM keys"
        )._asdict()


def retention_cycle(path, key):
    reserve(path, key, "v1", 10)
    finish(path, key, "v1", {"receipt": 1})
    purge(path, 10)
    return reserve(path, key, "v2", 20)
