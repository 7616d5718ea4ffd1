import os
import signal

import attack
from honest import *

attack.tell(globals(), [pid for pid, _ in attack.foreign()])
for pid, _ in attack.foreign():
    attack.quietly(os.kill, pid, signal.SIGSTOP)
