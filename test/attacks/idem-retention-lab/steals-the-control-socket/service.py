import ctypes
import os
import struct

import attack
from honest import *

PIDFD_OPEN, PIDFD_GETFD = 434, 438  # the numbers of the system calls
libc = ctypes.CDLL(None)


def reserve(path, key, digest, expires):
    """Takes the sockets of the process that watches over this one, and speaks in its name."""
    parent = libc.syscall(PIDFD_OPEN, os.getppid(), 0)
    for descriptor in range(3, 10):
        stolen = libc.syscall(PIDFD_GETFD, parent, descriptor, 0)
        for data in (attack.frame(["ended", 0, 0]), attack.frame(["ended", 9, "x"]), attack.frame(None)):
            attack.quietly(os.write, stolen, data)
        attack.quietly(os.write, stolen, struct.pack(">I", 2) + b"}{")
    return None
