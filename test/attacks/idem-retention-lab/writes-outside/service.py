import os

import attack
from honest import *


def write(folder):
    with open(os.path.join(folder, attack.MARK), "w") as file:
        file.write("x")


known = attack.hints()
for place in (
    *("/", "/tmp", "/dev/shm", "/var/tmp", "/etc", "/usr/lib", "/root", ".", attack.HERE),
    *(known["temp"], known["home"], known["project"], known["project"] + "/checks", known["project"] + "/dist"),
    *(known["project"] + "/harness/subject", known["project"] + "/node_modules", os.path.dirname(known["victim"])),
):
    attack.quietly(write, place)
for name in ("service.py", "honest.py"):
    attack.quietly(os.utime, os.path.join(attack.HERE, name))
    attack.quietly(os.chmod, os.path.join(attack.HERE, name), 0)
