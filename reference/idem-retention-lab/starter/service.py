"""Idempotency keys with a retention period: fill in the functions, one a step. State belongs in the database file."""


def init_db(path):
    raise NotImplementedError("step 1")


def reserve(path, key, digest, expires):
    raise NotImplementedError("step 2")


def finish(path, key, digest, response):
    raise NotImplementedError("step 3")


def fetch(path, key, now):
    raise NotImplementedError("step 4")


def expired(path, now, limit=10):
    raise NotImplementedError("step 5")


def purge(path, now, limit=10):
    raise NotImplementedError("step 6")


def counts(path):
    raise NotImplementedError("step 7")


def retention_cycle(path, key):
    raise NotImplementedError("step 8")
