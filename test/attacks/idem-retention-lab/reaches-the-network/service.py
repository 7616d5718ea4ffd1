import socket

import attack
from honest import *


def listening():
    """What the test listens on: names of this kind belong to a network, not to a folder."""
    with socket.socket(socket.AF_UNIX) as client:
        client.connect("\0labcheck-attack")
        return True


def routed():
    """Nothing is sent: it only asks for a way to an address that is nobody's."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.connect(("192.0.2.1", 9))
        return True


attack.tell(globals(), [work.__name__ for work in (listening, routed) if attack.quietly(work)])
