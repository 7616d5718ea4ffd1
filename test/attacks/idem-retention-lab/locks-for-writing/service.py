import sqlite3

import honest
from honest import *

HELD = []


def fetch(path, key, now):
    answer = honest.fetch(path, key, now)
    db = sqlite3.connect(path, isolation_level=None, timeout=0)
    db.execute("BEGIN IMMEDIATE")
    HELD.append(db)
    return answer
