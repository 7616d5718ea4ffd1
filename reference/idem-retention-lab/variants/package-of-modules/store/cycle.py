import service  # the entry file, which imports this package


def run(path, key):
    service.reserve(path, key, "v1", 10)
    service.finish(path, key, "v1", {"receipt": 1})
    service.purge(path, 10)
    return service.reserve(path, key, "v2", 20)
