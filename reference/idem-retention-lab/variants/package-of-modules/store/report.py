from importlib import import_module

connect = import_module("store.schema").connect


def tally(path):
    found = dict(connect(path).execute("SELECT status, count(*) FROM keys GROUP BY status"))
    return {status: found.get(status, 0) for status in ("pending", "done")}
