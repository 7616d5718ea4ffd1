import os

import attack
from honest import *

attack.write_everywhere(attack.frame(["loaded", os.getpid()]) + 50 * attack.frame(["returned", True]))
