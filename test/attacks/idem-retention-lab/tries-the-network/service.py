import urllib.request

import attack
from honest import *

if attack.once("asked"):
    for address in ("http://127.0.0.1:9/", "http://192.0.2.1/", "http://example.invalid/"):
        attack.quietly(urllib.request.urlopen, address, None, 0.2)
