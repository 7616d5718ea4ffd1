from honest import *


def reserve(path, key, digest, expires):
    return reserve(path, key, digest, expires)
