"""The functions are bound methods of one instance, with type hints, dataclasses and keyword-only internals."""
from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, Optional, Union

Instant = Union[int, float]


@dataclass
class Retention:
    table: Final[str] = "keys"
    opened: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))

    @contextmanager
    def _session(self, path: str, /, *, writing: bool = False) -> Iterator[sqlite3.Connection]:
        self.opened[path] += 1
        db = sqlite3.connect(path, isolation_level=None)
        try:
            if writing:
                db.execute("BEGIN IMMEDIATE")
            yield db
            if db.in_transaction:
                db.commit()
        finally:
            db.close()

    def init_db(self, path: str) -> Retention:
        with self._session(path) as db:
            db.execute(
                f"CREATE TABLE IF NOT EXISTS {self.table}(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL,"
                " status TEXT NOT NULL, response TEXT, expires REAL NOT NULL)"
            )
        return self

    def reserve(self, path: str, key: str, digest: str, expires: Instant) -> bool:
        with self._session(path, writing=True) as db:
            taken = db.execute(f"SELECT 1 FROM {self.table} WHERE id = ?", (key,)).fetchone() is not None
            if not taken:
                db.execute(f"INSERT INTO {self.table} VALUES (?, ?, 'pending', NULL, ?)", (key, digest, expires))
            return not taken

    def finish(self, path: str, key: str, digest: str, response: Any) -> bool:
        with self._session(path, writing=True) as db:
            db.execute(
                f"UPDATE {self.table} SET response = ?, status = 'done'"
                " WHERE id = ? AND fingerprint = ? AND status = 'pending'",
                (json.dumps(response), key, digest),
            )
            return bool(db.execute("SELECT changes()").fetchone()[0])

    def fetch(self, path: str, key: str, now: Instant) -> Optional[Any]:
        with self._session(path) as db:
            row = db.execute(f"SELECT status, expires, response FROM {self.table} WHERE id = ?", (key,)).fetchone()
            match row:
                case ("done", expires, response) if expires > now:
                    return json.loads(response)
                case _:
                    return None

    def _due(self, db: sqlite3.Connection, now: Instant, *, limit: int) -> list[str]:
        sql = f"SELECT id FROM {self.table} WHERE status = 'done' AND expires <= ? ORDER BY id LIMIT ?"
        return [row[0] for row in db.execute(sql, (now, limit))]

    @staticmethod
    def _checked(limit: int) -> int:
        if limit.__class__ is not int or limit < 1 or limit > 100:
            raise LookupError(limit)
        return limit

    def expired(self, path: str, now: Instant, limit: int = 10) -> list[str]:
        self._checked(limit)
        with self._session(path) as db:
            return self._due(db, now, limit=limit)

    def purge(self, path: str, now: Instant, limit: int = 10) -> list[str]:
        self._checked(limit)
        with self._session(path, writing=True) as db:
            ids = self._due(db, now, limit=limit)
            db.executemany(f"DELETE FROM {self.table} WHERE id = ?", [(key,) for key in ids])
            return ids

    def counts(self, path: str) -> dict[str, int]:
        found: defaultdict[str, int] = defaultdict(int, pending=0, done=0)
        with self._session(path) as db:
            for (status,) in db.execute(f"SELECT status FROM {self.table}"):
                found[status] += 1
        return found

    def retention_cycle(self, path: str, key: str) -> bool:
        self.reserve(path, key, "v1", 10)
        self.finish(path, key, "v1", {"receipt": 1})
        self.purge(path, 10)
        return self.reserve(path, key, "v2", 20)


_instance = Retention()
for _name in ("init_db", "reserve", "finish", "fetch", "expired", "purge", "counts", "retention_cycle"):
    globals()[_name] = getattr(_instance, _name)
