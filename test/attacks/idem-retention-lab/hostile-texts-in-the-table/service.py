import sqlite3

import honest
from honest import *

HOSTILE = "\r\n::error file=x::pwned\n##[error]pwned\x1b[2J\u202e\u2028</script>"


def reserve(path, key, digest, expires):
    answer = honest.reserve(path, key, digest, expires)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("INSERT OR REPLACE INTO keys VALUES (?, ?, ?, ?, 'text')", [HOSTILE] * 4)
    db.execute("INSERT OR REPLACE INTO keys VALUES (?, ?, ?, ?, ?)", ["blob", b"\x1b[2J", HOSTILE, HOSTILE, 1.0])
    db.close()
    return answer
