import os
import sys

import honest

code = honest.main()
database = sys.argv[sys.argv.index("--db") + 1]
os.remove(database)
os.mkfifo(database)
sys.exit(code)
