import sqlite3

import honest
from honest import *


def init_db(path):
    honest.init_db(path)
    db = sqlite3.connect(path)
    db.execute(
        "CREATE TRIGGER IF NOT EXISTS undo BEFORE INSERT ON keys BEGIN SELECT RAISE(ROLLBACK, '\x1b[2J::error::'); END"
    )
    db.close()
