"""The module puts an object in its own place: what `import service` gives has the functions as static methods."""
import json
import sqlite3
import sys
from contextlib import closing

DUE = "SELECT id FROM keys WHERE status = 'done' AND expires <= ? ORDER BY id LIMIT ?"


class Service:
    @staticmethod
    def init_db(path):
        with closing(sqlite3.connect(path)) as db:
            db.execute(
                "CREATE TABLE IF NOT EXISTS keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status TEXT NOT NULL,"
                " response TEXT, expires REAL NOT NULL)"
            )

    @staticmethod
    def reserve(path, key, digest, expires):
        with closing(sqlite3.connect(path)) as db, db:
            sql = "INSERT OR IGNORE INTO keys VALUES (?, ?, 'pending', NULL, ?)"
            return db.execute(sql, (key, digest, expires)).rowcount == 1

    @staticmethod
    def finish(path, key, digest, response):
        with closing(sqlite3.connect(path)) as db, db:
            sql = (
                "UPDATE keys SET response = ?, status = 'done'"
                " WHERE id = ? AND fingerprint = ? AND status = 'pending'"
            )
            return db.execute(sql, (json.dumps(response), key, digest)).rowcount == 1

    @staticmethod
    def fetch(path, key, now):
        with closing(sqlite3.connect(path)) as db:
            sql = "SELECT response FROM keys WHERE id = ? AND status = 'done' AND expires > ?"
            row = db.execute(sql, (key, now)).fetchone()
            return json.loads(row[0]) if row else None

    @staticmethod
    def check(limit):
        if type(limit) is not int or not 1 <= limit <= 100:
            raise ValueError("limit")

    @classmethod
    def expired(cls, path, now, limit=10):
        cls.check(limit)
        with closing(sqlite3.connect(path)) as db:
            return [key for (key,) in db.execute(DUE, (now, limit))]

    @classmethod
    def purge(cls, path, now, limit=10):
        cls.check(limit)
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("BEGIN IMMEDIATE")
            ids = [key for (key,) in db.execute(DUE, (now, limit))]
            db.executemany("DELETE FROM keys WHERE id = ?", [(key,) for key in ids])
            db.execute("COMMIT")
            return ids

    @property
    def counts(self):
        def count(path):
            with closing(sqlite3.connect(path)) as db:
                return {"pending": 0, "done": 0, **dict(db.execute("SELECT status, count(*) FROM keys GROUP BY 1"))}

        return count

    def retention_cycle(self, path, key):
        self.reserve(path, key, "v1", 10)
        self.finish(path, key, "v1", {"receipt": 1})
        self.purge(path, 10)
        return self.reserve(path, key, "v2", 20)


sys.modules[__name__] = Service()
