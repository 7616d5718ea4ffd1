import sys

from honest import *


def reserve(path, key, digest, expires):
    sys.exit(0)
