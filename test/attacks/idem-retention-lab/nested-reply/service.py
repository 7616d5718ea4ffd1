import struct

import attack
from honest import *

BODY = b'["returned",' + b"[" * 1_000_000 + b"]" * 1_000_000 + b"]"


def reserve(path, key, digest, expires):
    attack.write_everywhere(struct.pack(">I", len(BODY)) + BODY)
    return None
