import os

from honest import *

os.closerange(0, 4096)
