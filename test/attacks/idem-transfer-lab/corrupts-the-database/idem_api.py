import os
import sys

import honest

code = honest.main()
database = sys.argv[sys.argv.index("--db") + 1]
with open(database, "r+b") as file:
    file.seek(100)
    file.write(os.urandom(8000))
sys.exit(code)
