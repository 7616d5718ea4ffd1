"""A correct submission of {{lab}}: what learners are not shown. Usage: claims.py DATABASE KEY"""

import sqlite3
import sys


def main(path, key):
    db = sqlite3.connect(path)
    with db:
        db.execute("CREATE TABLE IF NOT EXISTS claims(key TEXT PRIMARY KEY)")
        granted = db.execute("INSERT OR IGNORE INTO claims(key) VALUES (?)", (key,)).rowcount == 1
    print("granted" if granted else "taken")


main(*sys.argv[1:])
