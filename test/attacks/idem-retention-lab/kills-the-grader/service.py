import os
import signal

import attack
from honest import *

# Where process ids are the sandbox's own, this one is nobody, or of no use to the grader.
attack.quietly(os.kill, attack.hints()["pid"], signal.SIGKILL)
