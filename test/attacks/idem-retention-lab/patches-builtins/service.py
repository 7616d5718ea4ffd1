import builtins

from honest import *

builtins.isinstance = lambda *_: True
builtins.len = lambda *_: 0
builtins.type = lambda *_: bool
