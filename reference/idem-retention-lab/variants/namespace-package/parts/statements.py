import json  # noqa: F401
import sqlite3

TABLE = """CREATE TABLE IF NOT EXISTS keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status TEXT NOT NULL,
    response TEXT, expires REAL NOT NULL)"""
RESERVE = "INSERT OR IGNORE INTO keys VALUES (?, ?, 'pending', NULL, ?)"
FINISH = "UPDATE keys SET response = ?, status = 'done' WHERE id = ? AND fingerprint = ? AND status = 'pending'"
FETCH = "SELECT response FROM keys WHERE id = ? AND status = 'done' AND expires > ?"
DUE = "SELECT id FROM keys WHERE status = 'done' AND expires <= ? ORDER BY id LIMIT ?"
COUNTS = "SELECT status, count(*) FROM keys GROUP BY status"


def connect(path):
    return sqlite3.connect(path, isolation_level=None)
