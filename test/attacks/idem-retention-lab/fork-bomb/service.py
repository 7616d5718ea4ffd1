import os
import time

from honest import *

# At most 2 ** 10 processes for a call, and none for longer than 20 seconds.
DEPTH, LIFE = 10, 20


def reserve(path, key, digest, expires):
    for _ in range(DEPTH):
        os.fork()
    time.sleep(LIFE)
    os._exit(0)
