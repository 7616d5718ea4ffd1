from honest import *

while True:
    pass
