"""The whole response is stored as one text; ids are counted integers and stamps whole seconds since 1970.

The fingerprint is the canonical text itself, unhashed. The crash is a SIGKILL. A purge takes claims in progress, too.
"""

import argparse
import json
import os
import re
import signal
import sqlite3
import sys
import time
from datetime import datetime

WHERE = " WHERE client_id = ? AND endpoint = ? AND idem_key = ?"

SCHEMA = """
CREATE TABLE IF NOT EXISTS transfer(
    transfer_id INTEGER PRIMARY KEY AUTOINCREMENT, src TEXT, dst TEXT, amount INTEGER, currency TEXT, created_at INTEGER
);
CREATE TABLE IF NOT EXISTS keys(
    client_id TEXT NOT NULL, endpoint TEXT NOT NULL, idem_key TEXT NOT NULL, request TEXT NOT NULL,
    response TEXT, at INTEGER NOT NULL, PRIMARY KEY (client_id, endpoint, idem_key)
);
"""


def instant(text):
    """Before Python 3.11 fromisoformat knew no Z, and no fraction of any other length."""
    return datetime.fromisoformat(re.sub(r"\.\d+", lambda part: part[0].ljust(7, "0"), text.replace("Z", "+00:00")))


def dumps(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--db", required=True)
    parser.add_argument("--request")
    parser.add_argument("--crash-after-claim", action="store_true")
    parser.add_argument("--purge-before")
    args = parser.parse_args()

    if args.request:
        try:
            request = json.load(open(args.request, "rb"))
        except Exception as error:
            print(repr(error), file=sys.stderr)
            return 3

    db = sqlite3.connect(args.db, isolation_level=None)
    db.execute("PRAGMA busy_timeout=20000")
    for statement in SCHEMA.split(";"):
        db.execute(statement)
    if args.purge_before:
        cutoff = instant(args.purge_before).timestamp()
        print(dumps({"purged": db.execute("DELETE FROM keys WHERE at < ?", (cutoff,)).rowcount}))
        return 0

    key = [request[name] for name in ("client_id", "endpoint", "idem_key")]
    body = request["body"]
    db.execute("BEGIN IMMEDIATE")
    row = db.execute("SELECT request, response FROM keys" + WHERE, key).fetchone()
    if row is None:  # the write lock is ours, so nobody else inserts it in between
        db.execute("INSERT INTO keys VALUES (?, ?, ?, ?, NULL, ?)", [*key, dumps(body), int(time.time())])
    db.execute("COMMIT")
    if row:
        if row[1] is None:
            response = {"status": 409, "replay": False, "reason": "in_progress", "body": None}
        elif row[0] != dumps(body):
            response = {"status": 422, "replay": False, "reason": "mismatch", "body": None}
        else:
            response = {**json.loads(row[1]), "replay": True}
        print(dumps(response))
        return 0
    if args.crash_after_claim:
        os.kill(os.getpid(), signal.SIGKILL)

    db.execute("BEGIN IMMEDIATE")
    db.execute("UPDATE account SET balance = balance - ? WHERE acct_id = ?", (body["amount"], body["src"]))
    db.execute("UPDATE account SET balance = balance + ? WHERE acct_id = ?", (body["amount"], body["dst"]))
    row = (body["src"], body["dst"], body["amount"], body["currency"], int(time.time()))
    cursor = db.execute("INSERT INTO transfer(src, dst, amount, currency, created_at) VALUES (?, ?, ?, ?, ?)", row)
    balances = dict(db.execute("SELECT acct_id, balance FROM account WHERE acct_id IN (?, ?)", row[:2]))
    response = {
        **{"status": 201, "replay": False, "reason": None},
        "body": {"transfer_id": cursor.lastrowid, "balances": balances, "echo": body},
    }
    db.execute("UPDATE keys SET response = ?" + WHERE, [dumps(response), *key])
    db.execute("COMMIT")
    print(dumps(response))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
