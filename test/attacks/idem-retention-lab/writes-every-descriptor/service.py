import attack
from honest import *


def reserve(path, key, digest, expires):
    attack.write_everywhere(b"garbage, " * 100)
    return True
