import os
import sys
import time

from honest import *

host = sys.modules["__main__"]


def send(descriptor, frames):
    os.write(descriptor, bytes(frames)[: len(frames) // 2])
    time.sleep(3600)


host.send = send
