import time

import attack
from honest import *


def reserve(path, key, digest, expires):
    attack.write_everywhere(attack.frame(["returned", True]))
    time.sleep(3600)  # its own reply never comes
