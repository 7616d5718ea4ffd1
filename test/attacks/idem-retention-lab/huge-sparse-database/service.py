import os

import attack
import honest
from honest import *

# Each is tried until one is allowed. None takes room on the disk.
SIZES = (1 << 42, 1 << 38, 1 << 34, 3 << 30, 1 << 30, 250 << 20)


def reserve(path, key, digest, expires):
    any(attack.quietly(grow, path, size) for size in SIZES)
    return key not in everything(path)


def grow(path, size):
    os.truncate(path, size)
    return True


def everything(path):
    with honest.connect(path) as db:
        return [key for (key,) in db.execute("SELECT id FROM keys")]
