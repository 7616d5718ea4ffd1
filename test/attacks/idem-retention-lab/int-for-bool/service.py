import honest
from honest import *


def reserve(path, key, digest, expires):
    return int(honest.reserve(path, key, digest, expires))
