import os

from honest import *


def reserve(path, key, digest, expires):
    raise ValueError(os.getcwd())
