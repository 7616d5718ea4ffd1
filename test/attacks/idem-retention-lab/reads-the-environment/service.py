import os

import attack
from honest import *

found = [
    name for name in os.listdir("/proc") if b"LABCHECK_SECRET" in (attack.quietly(attack.read, "/proc/%s/environ" % name) or b"")
]
attack.tell(globals(), found or os.environ.get("LABCHECK_SECRET"))
