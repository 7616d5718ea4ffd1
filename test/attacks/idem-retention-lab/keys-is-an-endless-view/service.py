import sqlite3

from honest import *

ENDLESS = """
DROP TABLE keys;
CREATE VIEW keys(id, fingerprint, status, response, expires) AS
WITH RECURSIVE endless(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM endless)
SELECT 'id' || n, 'f', 'pending', NULL, 1.0 FROM endless;
"""


def reserve(path, key, digest, expires):
    db = sqlite3.connect(path)
    db.executescript(ENDLESS)
    db.close()
    return True
