import os

import attack
from honest import *

known = attack.hints()
roots = {known["project"]}
host = getattr(__import__("__main__"), "__file__", "")
while len(host) > 1:
    host = os.path.dirname(host)
    roots.add(host)
LOOKED_FOR = (
    *("checks/idem-retention-lab/model.ts", "checks/idem-retention-lab/given.ts", "dist/cli.js", "harness/judge.ts"),
    *("mutants/idem-retention-lab", "test/attacks/attacks.yaml", "reference/idem-retention-lab/service.py", "package.json"),
)
attack.tell(globals(), [place for root in roots for name in LOOKED_FOR if attack.sees(place := root + "/" + name)])
