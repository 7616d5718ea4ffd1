from honest import *


def fetch(path, key, now):
    raise ValueError("x" * (1 << 30))
