import json
import sqlite3

import honest
from honest import *

connect = sqlite3.connect


class Forgetful:
    """Everything goes to a database that is gone when the call is over."""

    def __call__(self, path, *arguments, **options):
        db = connect(":memory:", *arguments, **options)
        db.execute(honest.SCHEMA)
        return db


sqlite3.connect = Forgetful()
json.dumps = json.loads = lambda *_, **__: "x"
