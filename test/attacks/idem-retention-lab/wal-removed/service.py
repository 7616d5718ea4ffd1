import os
import sqlite3

import honest
from honest import *

KEPT = []


def reserve(path, key, digest, expires):
    """What it commits is in the log only, and the log goes."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA wal_autocheckpoint = 0")
    KEPT.append(db)
    answer = honest.reserve(path, key, digest, expires)
    for suffix in ("-wal", "-shm"):
        os.remove(path + suffix)
    return answer
