import attack
from honest import *


def readable(pid):
    first = attack.read("/proc/%d/maps" % pid).decode().split("-")[0]
    with open("/proc/%d/mem" % pid, "rb", buffering=0) as memory:
        memory.seek(int(first, 16))
        return bool(memory.read(16))


attack.tell(globals(), [pid for pid, _ in attack.foreign() if attack.quietly(readable, pid)])
