import os
import sys

import attack
import honest


def write(folder):
    with open(os.path.join(folder, attack.MARK), "w") as file:
        file.write("x")


known = attack.hints()
for place in (
    *("/", "/tmp", "/dev/shm", "/var/tmp", "/etc", "/usr/lib", "/root", attack.HERE),
    *(known["temp"], known["home"], known["project"], known["project"] + "/checks", known["project"] + "/dist"),
):
    attack.quietly(write, place)
for name in ("idem_api.py", "honest.py"):
    attack.quietly(os.truncate, os.path.join(attack.HERE, name), 0)
    attack.quietly(os.chmod, os.path.join(attack.HERE, name), 0)
sys.exit(honest.main())
