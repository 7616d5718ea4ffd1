import collections

import honest
from honest import *


class Text(str):
    """Holds what is right, whatever it says."""

    def __str__(self):
        return "other"

    def __eq__(self, other):
        return False

    __hash__ = str.__hash__


class Items(list):
    def __iter__(self):
        return iter([1, 2, 3])


def expired(path, now, limit=10):
    return Items(map(Text, honest.expired(path, now, limit)))


def counts(path):
    return collections.OrderedDict(honest.counts(path))
