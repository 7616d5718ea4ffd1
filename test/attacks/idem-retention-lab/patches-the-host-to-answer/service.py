import os
import sys

from honest import *

host = sys.modules["__main__"]
host.answer = lambda request: ["loaded", os.getpid()] if request[0] == "load" else ["returned", True]
