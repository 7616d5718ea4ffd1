import sqlite3

import honest
from honest import *

KEPT = []


def reserve(path, key, digest, expires):
    """What it commits stays in the log: the connection is never closed, and nothing goes over to the database."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA wal_autocheckpoint = 0")
    KEPT.append(db)
    return honest.reserve(path, key, digest, expires)
