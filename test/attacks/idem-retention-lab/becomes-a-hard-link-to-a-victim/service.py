import os

import attack
import honest
from honest import *


def fetch(path, key, now):
    if honest.counts(path) == {"pending": 0, "done": 0}:
        try:
            os.link(attack.hints()["victim"], path + ".new")
            os.replace(path + ".new", path)
        except OSError:
            pass
        return None
    return ["wrong"]
