"""A unit of work is a generator that yields statements and is sent their rows; one driver runs it in a transaction."""
import json
import sqlite3
from functools import wraps
from itertools import chain, islice


def unit_of_work(generator_function):
    @wraps(generator_function)
    def run(path, *args, **named):
        db = sqlite3.connect(path, isolation_level=None)
        work = generator_function(*args, **named)
        try:
            db.execute("BEGIN IMMEDIATE")
            rows = None
            while True:
                statement, *parameters = work.send(rows)
                rows = iter(db.execute(statement, parameters).fetchall())
        except StopIteration as end:
            db.execute("COMMIT")
            return end.value
        finally:
            work.close()
            db.close()

    return run


@unit_of_work
def init_db():
    yield (
        "CREATE TABLE IF NOT EXISTS keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status TEXT NOT NULL,"
        " response TEXT, expires REAL NOT NULL)",
    )


@unit_of_work
def reserve(key, digest, expires):
    for _ in (yield "SELECT 1 FROM keys WHERE id = ?", key):
        return False
    yield "INSERT INTO keys VALUES (?, ?, 'pending', NULL, ?)", key, digest, expires
    return True


@unit_of_work
def finish(key, digest, response):
    for _ in (yield "SELECT 1 FROM keys WHERE id = ? AND fingerprint = ? AND status = 'pending'", key, digest):
        yield "UPDATE keys SET response = ?, status = 'done' WHERE id = ?", json.dumps(response), key
        return True
    return False


@unit_of_work
def fetch(key, now):
    for (response,) in (yield "SELECT response FROM keys WHERE id = ? AND status = 'done' AND expires > ?", key, now):
        return json.loads(response)


def due(now, limit):
    if type(limit) is not int or not 1 <= limit <= 100:
        raise ValueError("limit")
    found = yield "SELECT id FROM keys WHERE status = 'done' AND expires <= ? ORDER BY id", now
    return list(islice(chain.from_iterable(found), limit))


@unit_of_work
def expired(now, limit=10):
    return (yield from due(now, limit))


@unit_of_work
def purge(now, limit=10):
    ids = yield from due(now, limit)
    for key in ids:
        yield "DELETE FROM keys WHERE id = ?", key
    return ids


@unit_of_work
def counts():
    ((pending, total),) = yield "SELECT count(*) FILTER (WHERE status = 'pending'), count(*) FROM keys",
    return {"pending": pending, "done": total - pending}


def retention_cycle(path, key):
    reserve(path, key, "v1", 10)
    finish(path, key, "v1", {"receipt": 1})
    purge(path, 10)
    return reserve(path, key, "v2", 20)
