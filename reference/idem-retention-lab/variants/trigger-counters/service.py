"""counts reads a table of its own that triggers keep; a view and a covering index lie beside the table, too."""
import json
import sqlite3
from contextlib import closing

SCHEMA = """
CREATE TABLE IF NOT EXISTS keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status TEXT NOT NULL,
    response TEXT, expires REAL NOT NULL);
CREATE TABLE IF NOT EXISTS tally(status TEXT PRIMARY KEY, number INTEGER NOT NULL CHECK (number >= 0));
INSERT OR IGNORE INTO tally VALUES ('pending', 0), ('done', 0);
CREATE TRIGGER IF NOT EXISTS tally_insert AFTER INSERT ON keys BEGIN
    UPDATE tally SET number = number + 1 WHERE status = NEW.status;
END;
CREATE TRIGGER IF NOT EXISTS tally_update AFTER UPDATE OF status ON keys BEGIN
    UPDATE tally SET number = number - 1 WHERE status = OLD.status;
    UPDATE tally SET number = number + 1 WHERE status = NEW.status;
END;
CREATE TRIGGER IF NOT EXISTS tally_delete AFTER DELETE ON keys BEGIN
    UPDATE tally SET number = number - 1 WHERE status = OLD.status;
END;
CREATE VIEW IF NOT EXISTS finished AS SELECT id, response, expires FROM keys WHERE status = 'done';
CREATE INDEX IF NOT EXISTS by_status ON keys(status, expires, id);
"""


def run(path, sql, *parameters):
    with closing(sqlite3.connect(path)) as db, db:
        cursor = db.execute(sql, parameters)
        return cursor.fetchall() if cursor.description else cursor.rowcount == 1


def init_db(path):
    with closing(sqlite3.connect(path)) as db:
        db.executescript(SCHEMA)


def reserve(path, key, digest, expires):
    return run(path, "INSERT OR IGNORE INTO keys VALUES (?, ?, 'pending', NULL, ?)", key, digest, expires)


def finish(path, key, digest, response):
    sql = "UPDATE keys SET response = ?, status = 'done' WHERE id = ? AND fingerprint = ? AND status = 'pending'"
    return run(path, sql, json.dumps(response), key, digest)


def fetch(path, key, now):
    found = run(path, "SELECT response FROM finished WHERE id = ? AND expires > ?", key, now)
    return json.loads(found[0][0]) if found else None


DUE = "SELECT id FROM finished WHERE expires <= ? ORDER BY id LIMIT ?"


def check_limit(limit):
    if type(limit) is not int or not 1 <= limit <= 100:
        raise ValueError("limit")


def expired(path, now, limit=10):
    check_limit(limit)
    return [key for (key,) in run(path, DUE, now, limit)]


def purge(path, now, limit=10):
    check_limit(limit)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("BEGIN IMMEDIATE")
        ids = db.execute(DUE, (now, limit)).fetchall()
        db.executemany("DELETE FROM keys WHERE id = ?", ids)
    return [key for (key,) in ids]


def counts(path):
    return dict(run(path, "SELECT status, number FROM tally"))


def retention_cycle(path, key):
    reserve(path, key, "v1", 10)
    finish(path, key, "v1", {"receipt": 1})
    purge(path, 10)
    return reserve(path, key, "v2", 20)
