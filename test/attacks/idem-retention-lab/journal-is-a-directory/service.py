import os

import honest
from honest import *


def fetch(path, key, now):
    """Nobody can write to the database any more."""
    answer = honest.fetch(path, key, now)
    os.makedirs(path + "-journal", exist_ok=True)
    return answer
