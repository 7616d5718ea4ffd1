import sys

from honest import *


def reserve(path, key, digest, expires):
    sys.setrecursionlimit(10**8)
    value = []
    for _ in range(10**6):
        value = [value]
    return repr(value)
