import sys
import time

import attack
import honest

# Three of them, none for longer than 60 seconds.
LIFE, MOST = 60, 3

if any(attack.once("daemon-%d" % number) for number in range(MOST)):
    attack.daemon(lambda: time.sleep(LIFE))
sys.exit(honest.main())
