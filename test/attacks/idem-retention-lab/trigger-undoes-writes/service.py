import sqlite3

import honest
from honest import *


def init_db(path):
    honest.init_db(path)
    db = sqlite3.connect(path)
    db.execute(
        "CREATE TRIGGER IF NOT EXISTS undo AFTER INSERT ON keys BEGIN DELETE FROM keys WHERE id = NEW.id; END"
    )
    db.close()
