import random

import honest
from honest import *


def fetch(path, key, now):
    answer = honest.fetch(path, key, now)
    with open(path, "r+b") as file:
        data = bytearray(file.read())
        for _ in range(50):
            data[random.randrange(16, len(data))] ^= 0xFF
        file.seek(0)
        file.write(data)
    return answer
