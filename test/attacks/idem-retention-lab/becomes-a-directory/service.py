import os

import honest
from honest import *


def fetch(path, key, now):
    answer = honest.fetch(path, key, now)
    os.remove(path)
    os.makedirs(os.path.join(path, "keys"))
    return answer
