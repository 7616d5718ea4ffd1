import os
import signal
import time

from honest import *


def reserve(path, key, digest, expires):
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(60)
