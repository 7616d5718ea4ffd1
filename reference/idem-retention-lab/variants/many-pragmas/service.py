"""Small pages, auto-vacuum, a journal that stays or is kept in memory, mapped files, own ids in the header, ANALYZE and VACUUM."""
import itertools
import json
import sqlite3
from contextlib import closing

journals = itertools.cycle(["PERSIST", "TRUNCATE", "MEMORY", "DELETE"])


def connect(path):
    db = sqlite3.connect(path, isolation_level=None)
    for pragma in (
        f"journal_mode={next(journals)}",
        "synchronous=OFF",
        "foreign_keys=ON",
        "cache_size=-100",
        "mmap_size=10000000",
        "secure_delete=FAST",
        "temp_store=MEMORY",
        "reverse_unordered_selects=ON",
        "case_sensitive_like=ON",
        "trusted_schema=OFF",
        "busy_timeout=2000",
        "locking_mode=NORMAL",
        "cell_size_check=ON",
    ):
        db.execute(f"PRAGMA {pragma}").fetchall()
    return closing(db)


def init_db(path):
    with connect(path) as db:
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if version == 0:
            db.executescript(
                """
                PRAGMA page_size=512;
                PRAGMA auto_vacuum=FULL;
                CREATE TABLE keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status TEXT NOT NULL,
                    response TEXT, expires REAL NOT NULL);
                CREATE INDEX due ON keys(status, expires);
                PRAGMA user_version=1;
                PRAGMA application_id=1768189293;
                """
            )
        db.execute("ANALYZE")
        db.execute("VACUUM")
        db.execute("PRAGMA optimize")


def reserve(path, key, digest, expires):
    with connect(path) as db:
        sql = "INSERT OR IGNORE INTO keys VALUES (?, ?, 'pending', NULL, ?)"
        return db.execute(sql, (key, digest, expires)).rowcount == 1


def finish(path, key, digest, response):
    with connect(path) as db:
        sql = "UPDATE keys SET response = ?, status = 'done' WHERE id = ? AND fingerprint = ? AND status = 'pending'"
        return db.execute(sql, (json.dumps(response), key, digest)).rowcount == 1


def fetch(path, key, now):
    with connect(path) as db:
        db.execute("PRAGMA query_only=ON")
        row = db.execute(
            "SELECT response FROM keys WHERE id = ? AND status = 'done' AND expires > ?", (key, now)
        ).fetchone()
        return json.loads(row[0]) if row else None


def due(db, now, limit):
    if type(limit) is not int or not 1 <= limit <= 100:
        raise ValueError("limit")
    sql = "SELECT id FROM keys INDEXED BY due WHERE status = 'done' AND expires <= ? ORDER BY id LIMIT ?"
    return [key for (key,) in db.execute(sql, (now, limit))]


def expired(path, now, limit=10):
    with connect(path) as db:
        return due(db, now, limit)


def purge(path, now, limit=10):
    with connect(path) as db:
        db.execute("BEGIN EXCLUSIVE")
        try:
            ids = due(db, now, limit)
            db.executemany("DELETE FROM keys WHERE id = ?", [(key,) for key in ids])
        except BaseException:
            db.execute("ROLLBACK")
            raise
        db.execute("END")
        return ids


def counts(path):
    with connect(path) as db:
        return {"pending": 0, "done": 0, **dict(db.execute("SELECT status, count(*) FROM keys GROUP BY status"))}


def retention_cycle(path, key):
    reserve(path, key, "v1", 10)
    finish(path, key, "v1", {"receipt": 1})
    purge(path, 10)
    return reserve(path, key, "v2", 20)
