import attack
from honest import *

attack.tell(globals(), [line.decode(errors="replace") for _, line in attack.foreign()])
