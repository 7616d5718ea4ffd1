import threading
import time

from honest import *

# At most so many threads, none for longer than 20 seconds.
COUNT, LIFE = 3000, 20


def reserve(path, key, digest, expires):
    for _ in range(COUNT):
        threading.Thread(target=time.sleep, args=[LIFE], daemon=True).start()
    raise RuntimeError("3,000 threads run")
