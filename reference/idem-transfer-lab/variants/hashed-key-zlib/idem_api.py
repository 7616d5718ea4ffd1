"""A key's scope is hashed into its primary key, its state is a number, its response is compressed bytes."""

import hashlib
import json
import re
import sqlite3
import sys
import time
import zlib
from argparse import ArgumentParser, FileType
from datetime import datetime

CLAIMED, DONE = range(2)


def instant(text):
    """Before Python 3.11 fromisoformat knew no Z, and no fraction of any other length."""
    return datetime.fromisoformat(re.sub(r"\.\d+", lambda part: part[0].ljust(7, "0"), text.replace("Z", "+00:00")))


def digest(value):
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=True).encode("ascii")).digest()


def begin(db):
    db.execute("BEGIN IMMEDIATE")
    return db


def main():
    parser = ArgumentParser()
    parser.add_argument("--db", required=True)
    parser.add_argument("--request")
    parser.add_argument("--crash-after-claim", action="store_true")
    parser.add_argument("--purge-before")
    parser.add_argument("--out", type=FileType("w"), default="-")
    args = parser.parse_args()

    request = None
    if args.request is not None:
        try:
            request = json.loads(open(args.request, "rb").read())
        except (OSError, ValueError):
            return 3

    db = sqlite3.connect(args.db, timeout=10)
    db.execute("CREATE TABLE IF NOT EXISTS k(id BLOB PRIMARY KEY, body BLOB, s INT, r BLOB, ns INT) WITHOUT ROWID")
    db.execute(
        "CREATE TABLE IF NOT EXISTS transfer(transfer_id INTEGER PRIMARY KEY AUTOINCREMENT, src TEXT, dst TEXT,"
        " amount INTEGER, currency TEXT, created_at INTEGER)"
    )
    if request is None:
        before = instant(args.purge_before).timestamp() * 1e9
        with begin(db):
            purged = db.execute("DELETE FROM k WHERE s = ? AND ns < ?", (DONE, before)).rowcount
        json.dump({"purged": purged}, args.out)
        return 0

    body = request["body"]
    key = digest([request["client_id"], request["endpoint"], request["idem_key"]])
    try:
        with begin(db):
            db.execute("INSERT INTO k VALUES (?, ?, ?, NULL, ?)", (key, digest(body), CLAIMED, time.time_ns()))
    except sqlite3.IntegrityError:
        first, state, response = db.execute("SELECT body, s, r FROM k WHERE id = ?", (key,)).fetchone()
        if first != digest(body):
            result = dict(status=422, replay=False, reason="other body", body={"hint": "use another key"})
        elif state == CLAIMED:
            result = dict(status=409, replay=False, reason="in_progress", body=None)
        else:
            result = json.loads(zlib.decompress(response))
            result["replay"] = True
        json.dump(result, args.out)
        return 0

    if args.crash_after_claim:
        return 1
    with begin(db):
        db.execute("UPDATE account SET balance = balance - ? WHERE acct_id = ?", (body["amount"], body["src"]))
        db.execute("UPDATE account SET balance = balance + ? WHERE acct_id = ?", (body["amount"], body["dst"]))
        number = db.execute(
            "INSERT INTO transfer(src, dst, amount, currency, created_at) VALUES (?, ?, ?, ?, ?)",
            (body["src"], body["dst"], body["amount"], body["currency"], time.time_ns()),
        ).lastrowid
        (total,) = db.execute("SELECT COUNT(*) FROM transfer").fetchone()
        receipt = {"ratio": 1 / 3, "transfer_id": number, "queue": [total, {"of": total}], "ok": True}
        result = dict(status=201, replay=False, reason=None, body=receipt)
        stored = zlib.compress(json.dumps(result).encode())
        db.execute("UPDATE k SET s = ?, r = ? WHERE id = ?", (DONE, stored, key))
    json.dump(result, args.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
