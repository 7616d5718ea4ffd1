import os
import tempfile

from honest import *

# 3 GB at most, in files that are each below a limit for one file.
COUNT, SIZE = 12, 250 << 20


def reserve(path, key, digest, expires):
    for number in range(COUNT):
        for folder in (tempfile.gettempdir(), os.path.dirname(path)):
            with open(os.path.join(folder, "big-%d-%d" % (os.getpid(), number)), "wb") as file:
                for _ in range(SIZE >> 20):
                    file.write(bytes([1]) * (1 << 20))
                if os.fstat(file.fileno()).st_size * (number + 1) * 2 > 3 << 30:
                    raise OSError("3 GB are written")
    return None
