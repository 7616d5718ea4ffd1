"""A correct submission of {{lab}}: what learners are not shown."""

import sqlite3


def claim(path, key):
    """True for the first to ask for the key, False for everybody after."""
    db = sqlite3.connect(path)
    try:
        with db:
            db.execute("CREATE TABLE IF NOT EXISTS claims(key TEXT PRIMARY KEY)")
            return db.execute("INSERT OR IGNORE INTO claims(key) VALUES (?)", (key,)).rowcount == 1
    finally:
        db.close()
