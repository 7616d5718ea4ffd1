import os
import time

from honest import *

# At most 2 ** 9 processes for a call, each in a session of its own, and none for longer than 20 seconds.
DEPTH, LIFE = 9, 20


def reserve(path, key, digest, expires):
    for _ in range(DEPTH):
        try:
            if os.fork() == 0:
                os.setsid()
        except OSError:
            pass  # goes on with those that there are
    time.sleep(LIFE)
    os._exit(0)
