"""The entry file only re-exports: a package with circular imports, loaded when first called, and SQL in a file beside it."""
from store import *  # noqa: F403


def counts(path):
    from store.report import tally  # known only now

    return tally(path)


def retention_cycle(path, key):
    import store.cycle

    return store.cycle.run(path, key)
