import os
import sys

from honest import *

host = sys.modules["__main__"]


def send(descriptor, frames):
    os.write(descriptor, bytes(frames)[:-1])
    os._exit(0)


host.send = send
