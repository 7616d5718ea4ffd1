import attack
from honest import *


def reserve(path, key, digest, expires):
    while True:
        attack.write_everywhere(100 * attack.frame(["returned", True]))
