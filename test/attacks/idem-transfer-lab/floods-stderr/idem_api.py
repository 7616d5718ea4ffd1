import os
import sys

import honest

for _ in range(20):
    os.write(2, b"line\n" * 209_715)
sys.exit(honest.main())
