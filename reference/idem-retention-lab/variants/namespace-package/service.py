"""A folder without __init__.py is a package, too."""
from parts import statements
from parts.statements import connect, json


def init_db(path):
    connect(path).execute(statements.TABLE)


def reserve(path, key, digest, expires):
    return connect(path).execute(statements.RESERVE, (key, digest, expires)).rowcount == 1


def finish(path, key, digest, response):
    return connect(path).execute(statements.FINISH, (json.dumps(response), key, digest)).rowcount == 1


def fetch(path, key, now):
    row = connect(path).execute(statements.FETCH, (key, now)).fetchone()
    return json.loads(row[0]) if row else None


def check_limit(limit):
    if type(limit) is not int or not 1 <= limit <= 100:
        raise ValueError("limit")


def expired(path, now, limit=10):
    check_limit(limit)
    return [key for (key,) in connect(path).execute(statements.DUE, (now, limit))]


def purge(path, now, limit=10):
    from parts import purging

    check_limit(limit)
    return purging.purge(connect(path), now, limit)


def counts(path):
    return {"pending": 0, "done": 0, **dict(connect(path).execute(statements.COUNTS))}


def retention_cycle(path, key):
    reserve(path, key, "v1", 10)
    finish(path, key, "v1", {"receipt": 1})
    purge(path, 10)
    return reserve(path, key, "v2", 20)
