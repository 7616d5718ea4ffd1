import sqlite3

import attack
import honest
from honest import *


def reserve(path, key, digest, expires):
    """Tries to write to databases that are not its own, by way of its own."""
    known = attack.hints()
    db = sqlite3.connect(path, isolation_level=None)
    for place in (known["victim"], known["project"] + "/" + attack.MARK, known["home"] + "/" + attack.MARK):
        try:
            db.execute("ATTACH ? AS other", [place])
            db.execute("CREATE TABLE IF NOT EXISTS other.attacked(x)")
        except sqlite3.Error:
            pass
        try:
            db.execute("DETACH other")
        except sqlite3.Error:
            pass
    db.close()
    return honest.reserve(path, key, digest, expires)
