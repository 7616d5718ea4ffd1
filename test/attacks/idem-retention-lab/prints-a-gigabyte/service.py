import os

import attack
from honest import *

if attack.once("printed"):
    for _ in range(512):
        os.write(1, b"line\n" * 209_715)
        os.write(2, b"line\n" * 209_715)
