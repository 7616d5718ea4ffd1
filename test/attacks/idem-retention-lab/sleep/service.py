import time

from honest import *


def reserve(path, key, digest, expires):
    time.sleep(3600)
