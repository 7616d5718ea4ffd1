import os
import sqlite3

import honest
from honest import *


def fetch(path, key, now):
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.close()
    for suffix in ("-wal", "-shm"):
        with open(path + suffix, "wb") as file:
            file.write(os.urandom(1 << 16))
    return "wrong"
