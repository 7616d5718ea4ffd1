import json

from . import schema


def reserve(path, key, digest, expires):
    sql = "INSERT OR IGNORE INTO keys VALUES (?, ?, 'pending', NULL, ?)"
    return schema.connect(path).execute(sql, (key, digest, expires)).rowcount == 1


def finish(path, key, digest, response):
    sql = "UPDATE keys SET response = ?, status = 'done' WHERE id = ? AND fingerprint = ? AND status = 'pending'"
    return schema.connect(path).execute(sql, (json.dumps(response), key, digest)).rowcount == 1


def fetch(path, key, now):
    sql = "SELECT response FROM keys WHERE id = ? AND status = 'done' AND expires > ?"
    row = schema.connect(path).execute(sql, (key, now)).fetchone()
    return json.loads(row[0]) if row else None
