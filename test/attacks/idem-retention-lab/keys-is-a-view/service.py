import sqlite3

from honest import *


def init_db(path):
    db = sqlite3.connect(path)
    db.executescript(
        """
        CREATE TABLE IF NOT EXISTS kept(
            id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status TEXT NOT NULL, response TEXT, expires REAL NOT NULL
        );
        CREATE VIEW IF NOT EXISTS keys AS SELECT * FROM kept;
        CREATE TRIGGER IF NOT EXISTS inserts INSTEAD OF INSERT ON keys BEGIN
            INSERT INTO kept VALUES (NEW.id, NEW.fingerprint, NEW.status, NEW.response, NEW.expires);
        END;
        """
    )
    db.close()
