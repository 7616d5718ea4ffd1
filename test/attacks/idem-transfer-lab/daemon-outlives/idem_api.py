import os
import signal
import sys
import time

import attack
import honest

# Three of them, none for longer than 60 seconds.
LIFE, MOST = 60, 3


def live_on():
    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    os.closerange(0, 64)
    os.chdir("/")
    time.sleep(LIFE)


if any(attack.once("daemon-%d" % number) for number in range(MOST)):
    attack.daemon(live_on)
sys.exit(honest.main())
