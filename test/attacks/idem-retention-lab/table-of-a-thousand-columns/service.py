import sqlite3

from honest import *


def init_db(path):
    others = "".join(", c%d TEXT DEFAULT 'x'" % n for n in range(1000))
    db = sqlite3.connect(path)
    db.execute(
        "CREATE TABLE IF NOT EXISTS keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status TEXT NOT NULL,"
        " response TEXT, expires REAL NOT NULL" + others + ")"
    )
    db.close()
