import os

import honest
from honest import *


def reserve(path, key, digest, expires):
    answer = honest.reserve(path, key, digest, expires)
    os.remove(path)
    return answer
