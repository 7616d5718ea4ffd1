"""The table in other words: lower case, quoted names, the key as a table constraint that ignores conflicts, defaults, a collation."""
import json
import sqlite3
from contextlib import closing

SCHEMA = """
create table if not exists "main"."keys" (
    [id] text collate binary,
    `fingerprint` "text" not null on conflict abort default (''),
    "status" text constraint "always" not null default 'pending',
    response text default null,
    expires real not null default 0,
    constraint "pk" primary key ("id" collate binary asc) on conflict ignore,
    constraint "one" unique (id, fingerprint) on conflict ignore
)
-- made once
"""


def connect(path):
    db = sqlite3.connect(path)
    db.isolation_level = None
    return closing(db)


def init_db(path):
    with connect(path) as db:
        return db.execute(SCHEMA).rowcount


def reserve(path, key, digest, expires):
    with connect(path) as db:
        db.execute('insert into "keys"(id, fingerprint, expires) values (?, ?, ?)', (key, digest, expires))
        return db.execute("select changes() > 0").fetchone() == (1,)


def finish(path, key, digest, response):
    with connect(path) as db:
        sql = "update keys set response = ?, status = 'done' where id is ? and fingerprint is ? and status == 'pending'"
        return db.execute(sql, (json.dumps(response), key, digest)).rowcount == 1


def fetch(path, key, now):
    with connect(path) as db:
        sql = "select response from keys where id == ? and status <> 'pending' and not expires <= ?"
        row = db.execute(sql, (key, now)).fetchone()
        return json.loads(row[0]) if row else None


def due(db, now, limit):
    if type(limit) is not int or not 1 <= limit <= 100:
        raise ValueError("limit")
    sql = """select id from keys where status is not 'pending' and not expires > ?
        order by id collate binary asc limit 0, ?"""
    return [key for (key,) in db.execute(sql, (now, limit))]


def expired(path, now, limit=10):
    with connect(path) as db:
        return due(db, now, limit)


def purge(path, now, limit=10):
    with connect(path) as db:
        db.execute("begin immediate transaction")
        ids = due(db, now, limit)
        db.executemany("delete from keys where id is ?", [(key,) for key in ids])
        db.execute("end transaction")
        return ids


def counts(path):
    with connect(path) as db:
        return {"pending": 0, "done": 0, **dict(db.execute("select status, count(*) from keys group by status"))}


def retention_cycle(path, key):
    reserve(path, key, "v1", 10)
    finish(path, key, "v1", {"receipt": 1})
    purge(path, 10)
    return reserve(path, key, "v2", 20)
