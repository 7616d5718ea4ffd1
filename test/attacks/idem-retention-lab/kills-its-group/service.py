import os
import signal

from honest import *


def reserve(path, key, digest, expires):
    os.killpg(0, signal.SIGKILL)
