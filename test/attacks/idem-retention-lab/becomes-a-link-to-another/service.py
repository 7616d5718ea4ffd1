import os

import honest
from honest import *


def fetch(path, key, now):
    """The database of another case, where there is one, or else none."""
    answer = honest.fetch(path, key, now)
    folder = os.path.dirname(path)
    others = [name for name in os.listdir(folder) if name.endswith(".db") and name != os.path.basename(path)]
    os.remove(path)
    os.symlink(os.path.join(folder, (others or ["absent.db"])[0]), path)
    return answer
