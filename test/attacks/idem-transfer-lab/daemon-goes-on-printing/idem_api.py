import os
import sys
import time

import attack
import honest

# Three of them, none for longer than 20 seconds.
LIFE, MOST = 20, 3


def print_on():
    time.sleep(0.5)  # until the script itself has ended
    end = time.time() + LIFE
    while time.time() < end:
        os.write(1, b"late\n" * 1000)


if any(attack.once("daemon-%d" % number) for number in range(MOST)):
    attack.daemon(print_on)
sys.exit(honest.main())
