import hashlib
import json

encoder = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest(value):
    state = hashlib.sha256()
    for chunk in encoder.iterencode(value):
        state.update(chunk.encode())
    return state.digest()
