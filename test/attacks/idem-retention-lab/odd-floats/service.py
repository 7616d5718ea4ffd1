import itertools

from honest import *

ODD = itertools.cycle([float("nan"), float("inf"), float("-inf"), -0.0, 5e-324, 1e308, [float("nan")], {"n": float("nan")}])


def fetch(path, key, now):
    return next(ODD)


def finish(path, key, digest, response):
    return 1.0
