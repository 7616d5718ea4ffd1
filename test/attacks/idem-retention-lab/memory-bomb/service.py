from honest import *

# 6 GB at most.
COUNT, SIZE = 96, 64 << 20


def reserve(path, key, digest, expires):
    held = [b"x" * SIZE for _ in range(COUNT)]
    return len(held)
