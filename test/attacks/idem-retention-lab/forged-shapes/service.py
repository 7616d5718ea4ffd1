import itertools
import sys

from honest import *

# Replies of every form that the protocol does not have, one a call.
REPLIES = [
    None,
    {},
    [],
    ["returned"],
    ["returned", {"f": "one"}],
    ["returned", {"f": {}}],
    ["returned", {"i": "9" * 400}],
    ["returned", {"o": []}],
    ["returned", {"o": [{}, {"toString": 1}]}],
    ["returned", {"d": [[]]}],
    ["returned", {"d": [["__proto__", {"d": []}]]}],
    ["returned", {"__proto__": {"t": []}}],
    ["returned", 1e999],
    ["returned", 0.5],
    ["returned", {"t": {"length": 3}}],
    ["raised", []],
    ["raised", None],
    ["raised", [None]],
    ["raised", [{"type": {"toString": 1}, "bases": [{"toString": 1}], "message": {}, "code": "5", "at": []}]],
    ["raised", [{"type": "E", "bases": {"length": 1e9}, "message": "x" * 10**6, "code": 5, "at": "x" * 10**6}] * 9],
    ["unsendable", {"toString": None}],
    ["missing", "toString"],
    ["loaded", 1],
    ["unloadable", {}],
    [["returned"], True],
]

host = sys.modules["__main__"]
replies = itertools.cycle(REPLIES)
# A process lives for many sessions, each of which runs this file: the cycle is kept where all of them find it.
replies = vars(host).setdefault("replies_of_the_attack", replies)
honest_answer = vars(host).setdefault("answer_before_the_attack", host.answer)


def answer(request):
    return honest_answer(request) if request[0] == "load" else next(replies)


host.answer = answer
