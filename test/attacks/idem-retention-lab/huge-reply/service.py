import struct

import attack
from honest import *


def reserve(path, key, digest, expires):
    attack.write_everywhere(struct.pack(">I", 0xFFFFFFFF) + b"x" * 65536)
    while True:
        attack.write_everywhere(b"x" * 65536)
