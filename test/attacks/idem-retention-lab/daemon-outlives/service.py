import os
import signal
import time

import attack
from honest import *

# Three of them, none for longer than 60 seconds.
LIFE, MOST = 60, 3


def live_on():
    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    time.sleep(LIFE)


if any(attack.once("daemon-%d" % number) for number in range(MOST)):
    attack.daemon(live_on)
