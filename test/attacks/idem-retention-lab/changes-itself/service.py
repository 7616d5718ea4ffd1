import os

import attack
from honest import *


def append(name):
    with open(os.path.join(attack.HERE, name), "a") as file:
        file.write("# changed\n")


for name in ("service.py", "honest.py"):
    attack.quietly(append, name)
for folder in ("harness/subject/host.py", "harness/subject/host.mjs", "checks/idem-retention-lab/model.ts"):
    attack.quietly(append, os.path.join(attack.hints()["project"], folder))
