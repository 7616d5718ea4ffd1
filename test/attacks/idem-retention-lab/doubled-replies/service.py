import sys

from honest import *

host = sys.modules["__main__"]
once = host.send
host.send = lambda descriptor, frames: (once(descriptor, frames), once(descriptor, frames))
