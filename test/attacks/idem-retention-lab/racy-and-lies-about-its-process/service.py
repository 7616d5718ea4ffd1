import os
import sqlite3
import sys

from honest import *

host = sys.modules["__main__"]
honest_answer = vars(host).setdefault("answer_before_the_attack", host.answer)


def answer(request):
    """Another process seems to be at work: one that sleeps, as a call does that waits for a lock."""
    reply = honest_answer(request)
    return ["loaded", os.getppid()] if reply[0] == "loaded" else reply


host.answer = answer


def reserve(path, key, digest, expires):
    """Looks now and writes later: what comes in between is lost."""
    db = sqlite3.connect(path, isolation_level=None)
    try:
        if db.execute("SELECT 1 FROM keys WHERE id = ?", [key]).fetchone():
            return False
        db.execute("INSERT OR REPLACE INTO keys VALUES (?, ?, 'pending', NULL, ?)", (key, digest, expires))
        return True
    finally:
        db.close()
