from honest import *


class Looping:
    def __repr__(self):
        while True:
            pass


def fetch(path, key, now):
    return Looping()
