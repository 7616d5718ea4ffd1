import signal
import time

from honest import *

for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, signal.SIG_IGN)


def reserve(path, key, digest, expires):
    while True:
        try:
            time.sleep(3600)
        except BaseException:
            pass
