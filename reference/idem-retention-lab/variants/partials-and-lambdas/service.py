"""No def for a contract function: partials, lambdas, an object with __call__, and names that exist only when asked for."""
import json
import sqlite3
from functools import lru_cache, partial, reduce

DUE = "SELECT id FROM keys WHERE status = 'done' AND expires <= ? ORDER BY id LIMIT ?"


def run(sql, answer, path, *args, order=None):
    db = sqlite3.connect(path)
    with db:
        cursor = db.execute(sql, [args[place] for place in order] if order else args)
        return answer(cursor)


@lru_cache(maxsize=None)
def limits(kind, limit):
    if kind is not int or limit not in range(1, 101):
        raise ValueError(f"{limit!r} is no limit")
    return limit


class Purge:
    def __call__(self, path, now, limit=10):
        limits(type(limit), limit)
        with sqlite3.connect(path, isolation_level=None) as db:
            db.execute("BEGIN IMMEDIATE")
            ids = [key for (key,) in db.execute(DUE, (now, limit))]
            return [key for key in ids if db.execute("DELETE FROM keys WHERE id = ?", (key,)).rowcount]


one = lambda cursor: cursor.rowcount == 1  # noqa: E731
rows = lambda cursor: cursor.fetchall()  # noqa: E731

functions = {
    "init_db": partial(
        run,
        "CREATE TABLE IF NOT EXISTS keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status TEXT NOT NULL,"
        " response TEXT, expires REAL NOT NULL)",
        bool,
    ),
    "reserve": partial(run, "INSERT OR IGNORE INTO keys VALUES (?, ?, 'pending', NULL, ?)", one),
    "finish": lambda path, key, digest, response: run(
        "UPDATE keys SET response = ?, status = 'done' WHERE id = ? AND fingerprint = ? AND status = 'pending'",
        one,
        path,
        *(json.dumps(response), key, digest),
    ),
    "fetch": partial(
        run,
        "SELECT response FROM keys WHERE id = ? AND status = 'done' AND expires > ?",
        lambda cursor: reduce(lambda _, row: json.loads(row[0]), cursor, None),
    ),
    "expired": lambda path, now, limit=10: [
        key for (key,) in run(DUE, rows, path, now, limits(type(limit), limit))
    ],
    "purge": Purge(),
    "counts": partial(
        run,
        "SELECT 'pending', count(*) FROM keys WHERE status = 'pending'"
        " UNION ALL SELECT 'done', count(*) FROM keys WHERE status = 'done'",
        dict,
    ),
    "retention_cycle": lambda path, key: [
        functions["reserve"](path, key, "v1", 10),
        functions["finish"](path, key, "v1", {"receipt": 1}),
        functions["purge"](path, 10),
        functions["reserve"](path, key, "v2", 20),
    ][-1],
}


def __getattr__(name):
    try:
        return functions[name]
    except KeyError:
        raise AttributeError(name) from None
