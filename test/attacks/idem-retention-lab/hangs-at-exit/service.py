import atexit
import threading

from honest import *


def hang():
    while True:
        pass


atexit.register(hang)
threading._register_atexit(hang)
