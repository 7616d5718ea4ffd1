"""SQL only stores: each call locks the file exclusively, reads the whole table, decides in Python and writes rows back."""
import heapq
import json
import sqlite3
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Key:
    id: str
    fingerprint: str
    status: str
    response: "str | None"
    expires: float

    def due(self, now):
        return self.status == "done" and self.expires <= now


@contextmanager
def table(path):
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("BEGIN EXCLUSIVE")
    try:
        before = {row[0]: Key(*row) for row in db.execute("SELECT id, fingerprint, status, response, expires FROM keys")}
        after = dict(before)
        yield after
        db.executemany("DELETE FROM keys WHERE id = ?", [(key,) for key in before.keys() - after.keys()])
        written = [(k.id, k.fingerprint, k.status, k.response, k.expires) for k in after.values() if before.get(k.id) != k]
        db.executemany("REPLACE INTO keys VALUES (?, ?, ?, ?, ?)", written)
        db.execute("COMMIT")
    finally:
        db.close()


def init_db(path):
    db = sqlite3.connect(path)
    db.execute(
        "CREATE TABLE IF NOT EXISTS keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status TEXT NOT NULL,"
        " response TEXT, expires REAL NOT NULL)"
    )
    db.close()


def reserve(path, key, digest, expires):
    with table(path) as keys:
        mine = Key(key, digest, "pending", None, expires)
        return keys.setdefault(key, mine) is mine


def finish(path, key, digest, response):
    with table(path) as keys:
        row = keys.get(key)
        if row is None or row.status != "pending" or row.fingerprint != digest:
            return False
        keys[key] = replace(row, status="done", response=json.dumps(response))
        return True


def fetch(path, key, now):
    with table(path) as keys:
        row = keys.get(key)
        return json.loads(row.response) if row and row.status == "done" and row.expires > now else None


def due(keys, now, limit):
    if type(limit) is not int or not 1 <= limit <= 100:
        raise ValueError("limit")
    return heapq.nsmallest(limit, (row.id for row in keys.values() if row.due(now)))


def expired(path, now, limit=10):
    with table(path) as keys:
        return due(keys, now, limit)


def purge(path, now, limit=10):
    with table(path) as keys:
        return [keys.pop(key).id for key in due(keys, now, limit)]


def counts(path):
    with table(path) as keys:
        found = Counter(pending=0, done=0)
        found.update(row.status for row in keys.values())
        return found


def retention_cycle(path, key):
    reserve(path, key, "v1", 10)
    finish(path, key, "v1", {"receipt": 1})
    purge(path, 10)
    return reserve(path, key, "v2", 20)
