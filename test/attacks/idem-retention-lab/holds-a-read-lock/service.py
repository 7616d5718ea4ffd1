import sqlite3

import honest
from honest import *

HELD = []


def fetch(path, key, now):
    """It reads and never ends: another process can no longer commit."""
    db = sqlite3.connect(path, isolation_level=None, timeout=0)
    db.execute("BEGIN")
    db.execute("SELECT count(*) FROM keys").fetchall()
    HELD.append(db)
    return "wrong"
