import itertools

from honest import *

HOSTILE = "\r\n::error file=x::pwned\n##[error]pwned\n::set-output name=a::b\x1b[2J\x1b]0;title\x07\u202e\u2066\u200f\u2028\x9b31m\x00</script>"


class Shown:
    def __repr__(self):
        return HOSTILE


Shown.__qualname__ = Shown.__module__ = HOSTILE
VALUES = itertools.cycle([HOSTILE, [HOSTILE], {HOSTILE: HOSTILE}, Shown(), (HOSTILE, Shown())])


def fetch(path, key, now):
    return next(VALUES)
