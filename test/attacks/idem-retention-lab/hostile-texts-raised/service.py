from honest import *

HOSTILE = "\r\n::error file=x::pwned\n##[error]pwned\n::set-output name=a::b\x1b[2J\x1b]0;title\x07\u202e\u2066\u200f\u2028\x9b31m\x00</script>"
NAME = HOSTILE.replace("\0", "")  # a class refuses it in its name
Hostile = type(NAME, (Exception,), {"__module__": HOSTILE, "__qualname__": HOSTILE})


def reserve(path, key, digest, expires):
    raise Hostile(HOSTILE) from Hostile(HOSTILE)
