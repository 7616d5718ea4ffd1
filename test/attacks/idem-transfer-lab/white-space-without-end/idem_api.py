import os

import honest

honest.main()
while True:
    os.write(1, b" \n" * 10_000)
