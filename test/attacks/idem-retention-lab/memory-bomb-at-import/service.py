from honest import *

# 6 GB at most.
COUNT, SIZE = 96, 64 << 20

HELD = [b"x" * SIZE for _ in range(COUNT)]
reserve = None
