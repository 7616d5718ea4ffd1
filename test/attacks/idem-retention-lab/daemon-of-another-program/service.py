import os
import subprocess
import sys

import attack
from honest import *

# Two of them, none for longer than 60 seconds. They keep nothing of this process: no group, folder or environment.
CODE = "import signal, time; [signal.signal(s, signal.SIG_IGN) for s in (1, 2, 3, 13, 15)]; time.sleep(60)"

if any(attack.once("program-%d" % number) for number in range(2)):
    attack.daemon(
        lambda: subprocess.Popen([sys.executable, "-c", CODE, attack.HERE], cwd="/", env={}, start_new_session=True)
    )
