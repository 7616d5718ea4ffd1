import os
import re

import attack
import honest
from honest import *


def reserve(path, key, digest, expires):
    folder, name = os.path.split(path)
    match = re.fullmatch(r"(.*?)(\d+)(\D*)", name)
    for number in range(1, 200) if match else ():
        following = "%s%d%s" % (match[1], int(match[2]) + number, match[3])
        attack.quietly(os.mkdir, os.path.join(folder, following))
    return "wrong"
