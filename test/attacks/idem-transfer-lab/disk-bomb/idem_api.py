import os
import sys

# 3 GB at most, in files that are each below a limit for one file.
COUNT, SIZE = 12, 250 << 20

for number in range(COUNT):
    with open("big-%d-%d" % (os.getpid(), number), "wb") as file:
        for _ in range(SIZE >> 20):
            file.write(bytes([1]) * (1 << 20))
sys.exit(1)
