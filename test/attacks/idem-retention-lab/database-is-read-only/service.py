import os

import honest
from honest import *


def fetch(path, key, now):
    """All is right, and nobody but the superuser can open the file any more."""
    answer = honest.fetch(path, key, now)
    os.chmod(path, 0)
    os.rename(path, path + ".moved")
    return answer
