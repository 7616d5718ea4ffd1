import os

from honest import *


def reserve(path, key, digest, expires):
    os.closerange(0, 4096)
    return True
