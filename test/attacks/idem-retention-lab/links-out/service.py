import os

import attack
from honest import *

# The maker has laid these links out of the folder.
PLACES = ("checks-link/idem-retention-lab/model.ts", "root-link/etc/shadow", "secret-link", "home-link/.bashrc")
attack.tell(globals(), [name for name in PLACES if attack.sees(os.path.join(attack.HERE, name))])
