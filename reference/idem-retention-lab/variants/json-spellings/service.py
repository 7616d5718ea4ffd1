"""Responses are stored indented, sorted, without escapes; lists of ids go into SQLite and come out of it as JSON."""
import json
import sqlite3
from collections import OrderedDict
from contextlib import closing


class Text(str):
    """An id, which is a str."""


def sql(path, statement, **named):
    with closing(sqlite3.connect(path)) as db, db:
        cursor = db.execute(statement, named)
        return [row[0] for row in cursor] if cursor.description else cursor.rowcount


def init_db(path):
    sql(
        path,
        "CREATE TABLE IF NOT EXISTS keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status TEXT NOT NULL,"
        " response TEXT CHECK (json_valid(response) OR response IS NULL), expires REAL NOT NULL)",
    )


def reserve(path, key, digest, expires):
    statement = "INSERT INTO keys VALUES (:key, :digest, 'pending', NULL, :expires) ON CONFLICT(id) DO NOTHING"
    return sql(path, statement, key=key, digest=digest, expires=expires) == 1


def finish(path, key, digest, response):
    spelled = json.dumps(response, indent=3, sort_keys=True, ensure_ascii=False, separators=(" ,\t", " :\r\n"))
    statement = (
        "UPDATE keys SET response = char(10) || :text || ' ', status = 'done'"
        " WHERE id = :key AND fingerprint = :digest AND status = 'pending'"
    )
    return sql(path, statement, text=spelled, key=key, digest=digest) == 1


def fetch(path, key, now):
    statement = "SELECT response FROM keys WHERE id = :key AND status = 'done' AND expires > :now"
    for response in sql(path, statement, key=key, now=now):
        return json.loads(response, object_pairs_hook=OrderedDict)


DUE = "SELECT id FROM keys WHERE status = 'done' AND expires <= :now ORDER BY id LIMIT :limit"


class Ids(list):
    def __init__(self, text, limit):
        super().__init__(map(Text, json.loads(text)))


def check_limit(limit):
    if isinstance(limit, bool) or not isinstance(limit, int):
        raise TypeError(limit)
    if not 1 <= limit <= 100:
        raise OverflowError(limit)


def expired(path, now, limit=10):
    check_limit(limit)
    (text,) = sql(path, f"SELECT json_group_array(id) FROM ({DUE})", now=now, limit=limit)
    return Ids(text, limit)


def purge(path, now, limit=10):
    check_limit(limit)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("BEGIN IMMEDIATE")
        ids = [key for (key,) in db.execute(DUE, {"now": now, "limit": limit})]
        db.execute("DELETE FROM keys WHERE id IN (SELECT value FROM json_each(?))", (json.dumps(ids),))
        return ids


def counts(path):
    (text,) = sql(
        path,
        "SELECT json_object('pending', count(*) FILTER (WHERE status = 'pending'),"
        " 'done', count(*) FILTER (WHERE status = 'done')) FROM keys",
    )
    return json.loads(text)


def retention_cycle(path, key):
    reserve(path, key, "v1", 10)
    finish(path, key, "v1", {"receipt": 1})
    purge(path, 10)
    return reserve(path, key, "v2", 20)
