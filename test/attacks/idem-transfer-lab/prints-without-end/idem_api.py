import os

while True:
    os.write(1, b"line\n" * 10_000)
