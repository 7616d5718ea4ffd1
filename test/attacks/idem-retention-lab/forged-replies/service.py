import attack
from honest import *

RESERVED = []


def reserve(path, key, digest, expires):
    attack.write_everywhere(attack.frame(["returned", key not in RESERVED]))
    RESERVED.append(key)
    return True
