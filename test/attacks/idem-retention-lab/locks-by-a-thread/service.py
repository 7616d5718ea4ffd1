import sqlite3
import threading
import time

import honest
from honest import *


def hold(path, held):
    db = sqlite3.connect(path, isolation_level=None, timeout=0)
    db.execute("BEGIN EXCLUSIVE")
    held.set()
    time.sleep(60)


def fetch(path, key, now):
    answer = honest.fetch(path, key, now)
    held = threading.Event()
    threading.Thread(target=hold, args=[path, held], daemon=True).start()
    held.wait(1)
    return answer
