import os
import sqlite3
import sys
import time

import attack
import honest

# None lives for longer than so many seconds.
LIFE = 20

code = honest.main()
database = sys.argv[sys.argv.index("--db") + 1]
read, write = os.pipe()


def hold():
    db = sqlite3.connect(database, isolation_level=None, timeout=0)
    db.execute("BEGIN EXCLUSIVE")
    os.write(write, b"held")
    time.sleep(LIFE)


sys.stdout.flush()
attack.daemon(hold)
os.read(read, 4)
os._exit(code)
