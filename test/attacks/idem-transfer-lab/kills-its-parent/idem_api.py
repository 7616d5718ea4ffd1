import os
import signal
import time

os.kill(os.getppid(), signal.SIGKILL)
time.sleep(60)
