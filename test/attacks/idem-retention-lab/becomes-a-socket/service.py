import os
import socket

import honest
from honest import *

SOCKETS = []


def fetch(path, key, now):
    answer = honest.fetch(path, key, now)
    os.remove(path)
    SOCKETS.append(socket.socket(socket.AF_UNIX))
    SOCKETS[-1].bind(path)
    return answer
