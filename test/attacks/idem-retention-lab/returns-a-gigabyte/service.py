from honest import *


def fetch(path, key, now):
    return "x" * (1 << 30)
