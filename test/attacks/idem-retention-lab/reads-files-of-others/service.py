import os

import attack
from honest import *

known = attack.hints()
places = [known["secret"], "/etc/shadow", *(os.path.join(known["home"], name) for name in (".bashrc", ".profile", ".ssh"))]
attack.tell(globals(), [place for place in places if attack.sees(place)])
