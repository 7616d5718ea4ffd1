import os

import honest
from honest import *


def init_db(path):
    with open(path, "wb") as file:
        file.write(os.urandom(1 << 16))
