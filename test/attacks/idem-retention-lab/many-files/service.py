import os
import tempfile

from honest import *

# 100,000 files at most.
COUNT = 100_000


def reserve(path, key, digest, expires):
    folder = tempfile.mkdtemp()
    for number in range(COUNT):
        os.close(os.open(os.path.join(folder, str(number)), os.O_CREAT | os.O_WRONLY))
    raise OSError("100,000 files are there")
