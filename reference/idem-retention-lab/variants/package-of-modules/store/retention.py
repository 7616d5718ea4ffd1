from contextlib import closing

from .schema import connect

DUE = "SELECT id FROM keys WHERE status = 'done' AND expires <= ? ORDER BY id LIMIT ?"


def check_limit(limit):
    if type(limit) is not int or not 1 <= limit <= 100:
        raise ValueError("limit")


def expired(path, now, limit=10):
    check_limit(limit)
    return [key for (key,) in connect(path).execute(DUE, (now, limit))]


def purge(path, now, limit=10):
    check_limit(limit)
    with closing(connect(path)) as db:
        db.execute("BEGIN IMMEDIATE")
        ids = [key for (key,) in db.execute(DUE, (now, limit))]
        db.executemany("DELETE FROM keys WHERE id = ?", [(key,) for key in ids])
        db.execute("COMMIT")
        return ids
