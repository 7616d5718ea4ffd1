import argparse
import dataclasses
import enum
import json
import sys
from pathlib import Path

import canonicaljson

from . import store

POLICY = json.loads((Path(__file__).parents[1] / "policy.json").read_text())


class Exit(enum.IntEnum):
    OK = 0
    UNREADABLE = 3
    CRASHED = 42


@dataclasses.dataclass
class Response:
    status: int
    replay: bool = False
    reason: "str | None" = None
    body: "dict | None" = None

    def print(self):
        json.dump(dataclasses.asdict(self), sys.stdout)


def main():
    parser = argparse.ArgumentParser(prog="idem_api")
    parser.add_argument("--db", required=True)
    parser.add_argument("--request")
    parser.add_argument("--purge-before")
    parser.add_argument("--crash-after-claim", action="store_true")
    args = parser.parse_args()
    if args.purge_before:
        json.dump({"purged": store.Store(args.db).purge(args.purge_before)}, sys.stdout)
        sys.exit(Exit.OK)
    try:
        request = json.loads(Path(args.request).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        sys.exit(Exit.UNREADABLE)
    answer(store.Store(args.db), request, args.crash_after_claim).print()


def answer(keys, request, crash):
    scope = [request[part] for part in POLICY["scope"]]
    digest = canonicaljson.digest(request["body"])
    record = keys.claim(scope, digest)
    if record is store.MINE:
        if crash:
            sys.exit(Exit.CRASHED)
        return Response(201, body=keys.execute(scope, request["body"]))
    if record.digest != digest:
        return Response(POLICY["on_fingerprint_mismatch"], reason="fingerprint")
    if record.body is None:
        return Response(POLICY["on_in_flight"], reason="in_progress")
    return Response(record.status, True, None, json.loads(record.body))
