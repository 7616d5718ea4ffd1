"""Success is told by `total_changes`, never by rowcount; retention_cycle asserts each of its steps."""
import json
import sqlite3
from contextlib import closing


def changes(path, sql, parameters=()):
    with closing(sqlite3.connect(path)) as db, db:
        before = db.total_changes
        db.execute(sql, parameters)
        return db.total_changes - before


def select(path, sql, parameters=()):
    with closing(sqlite3.connect(path)) as db:
        return db.execute(sql, parameters).fetchall()


def init_db(path):
    changes(
        path,
        "CREATE TABLE IF NOT EXISTS keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status TEXT NOT NULL,"
        " response TEXT, expires REAL NOT NULL)",
    )


def reserve(path, key, digest, expires):
    return changes(path, "INSERT OR IGNORE INTO keys VALUES (?, ?, 'pending', NULL, ?)", (key, digest, expires)) == 1


def finish(path, key, digest, response):
    return changes(
        path,
        "UPDATE keys SET response = ?, status = 'done' WHERE id = ? AND fingerprint = ? AND status = 'pending'",
        (json.dumps(response), key, digest),
    ) == 1


def fetch(path, key, now):
    found = select(path, "SELECT response FROM keys WHERE id = ? AND status = 'done' AND expires > ?", (key, now))
    return json.loads(found[0][0]) if found else None


DUE = "SELECT id FROM keys WHERE status = 'done' AND expires <= ? ORDER BY id LIMIT ?"


def check_limit(limit):
    assert not isinstance(limit, bool)
    assert isinstance(limit, int)
    assert 1 <= limit <= 100


def expired(path, now, limit=10):
    check_limit(limit)
    return [row[0] for row in select(path, DUE, (now, limit))]


def purge(path, now, limit=10):
    check_limit(limit)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        ids = [row[0] for row in db.execute(DUE, (now, limit))]
        before = db.total_changes
        db.execute(f"DELETE FROM keys WHERE id IN ({','.join('?' * len(ids))})", ids)
        assert db.total_changes - before == len(ids)
        db.execute("COMMIT")
        return ids


def counts(path):
    return {s: select(path, "SELECT count(*) FROM keys WHERE status = ?", (s,))[0][0] for s in ("pending", "done")}


def retention_cycle(path, key):
    assert reserve(path, key, "v1", 10)
    assert finish(path, key, "v1", {"receipt": 1})
    assert purge(path, 10) == [key]
    assert reserve(path, key, "v2", 20)
    return True
