import sqlite3

import honest
from honest import *


def init_db(path):
    honest.init_db(path)
    db = sqlite3.connect(path)
    db.executescript(
        """
        CREATE TABLE IF NOT EXISTS sink(n);
        CREATE TRIGGER IF NOT EXISTS endless AFTER INSERT ON keys BEGIN
            INSERT INTO sink SELECT max(n) FROM (
                WITH RECURSIVE endless(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM endless) SELECT n FROM endless
            );
        END;
        """
    )
    db.close()
