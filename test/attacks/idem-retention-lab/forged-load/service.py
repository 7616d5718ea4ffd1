import sys

from honest import *

host = sys.modules["__main__"]
honest_answer = vars(host).setdefault("answer_before_the_attack", host.answer)
SHAPES = [["loaded", 1e308], ["loaded", -1], ["loaded", None], ["unloadable", None], ["unloadable", {"type": {}}]]


def answer(request):
    reply = honest_answer(request)
    SHAPES.append(SHAPES.pop(0))
    return SHAPES[0] if request[0] == "load" else reply


host.answer = answer


def reserve(path, key, digest, expires):
    return None
