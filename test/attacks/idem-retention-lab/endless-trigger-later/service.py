import sqlite3

import honest
from honest import *

ENDLESS = """
CREATE TABLE sink(n);
{}
"""
TRIGGER = """
CREATE TRIGGER endless_{0} AFTER {0} ON keys BEGIN
    INSERT INTO sink SELECT max(n) FROM (
        WITH RECURSIVE endless(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM endless) SELECT n FROM endless
    );
END;
"""


def fetch(path, key, now):
    """All is right until another connection writes."""
    answer = honest.fetch(path, key, now)
    db = sqlite3.connect(path)
    db.executescript(ENDLESS.format("".join(map(TRIGGER.format, ("INSERT", "UPDATE", "DELETE")))))
    db.close()
    return answer
