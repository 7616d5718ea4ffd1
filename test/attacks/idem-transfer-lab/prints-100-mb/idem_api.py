import sys

import honest

for _ in range(100):
    sys.stdout.write("line\n" * 209_715)
sys.exit(honest.main())
