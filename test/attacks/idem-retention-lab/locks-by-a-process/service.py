import os
import sqlite3
import time

import attack
import honest
from honest import *

# None lives for longer than so many seconds.
LIFE = 20


def fetch(path, key, now):
    answer = honest.fetch(path, key, now)
    read, write = os.pipe()

    def hold():
        os.chdir("/")
        db = sqlite3.connect(path, isolation_level=None, timeout=0)
        db.execute("BEGIN EXCLUSIVE")
        os.write(write, b"held")
        time.sleep(LIFE)

    attack.daemon(hold)
    os.read(read, 4)
    return answer
