"""Claim and execution are one exclusive transaction; the claim is committed alone only where the crash is asked for.

A real death in between rolls the claim back, so nothing is left half done. Who comes second waits for the lock.
"""

import argparse
import hashlib
import json
import os
import re
import sqlite3
import sys
from datetime import datetime, timezone
from uuid import uuid4


def instant(text):
    """Before Python 3.11 fromisoformat knew no Z, and no fraction of any other length."""
    return datetime.fromisoformat(re.sub(r"\.\d+", lambda part: part[0].ljust(7, "0"), text.replace("Z", "+00:00")))


parser = argparse.ArgumentParser()
parser.add_argument("--db", required=True)
parser.add_argument("--request", type=lambda path: open(path, encoding="utf-8"))
parser.add_argument("--purge-before", type=instant)
parser.add_argument("--crash-after-claim", action="store_true")


def answer(status, replay=False, reason=None, body=None):
    return {"status": status, "replay": replay, "reason": reason, "body": body}


def handle(db, request, crash):
    key = [request["client_id"], request["endpoint"], request["idem_key"]]
    body = request["body"]
    fingerprint = hashlib.sha1(json.dumps(body, sort_keys=True).encode()).hexdigest()
    found = db.execute("SELECT * FROM memory WHERE client_id = ? AND endpoint = ? AND idem_key = ?", key).fetchone()
    if found:
        if found["fingerprint"] != fingerprint:
            return answer(422, reason="mismatch")
        if found["state"] == "in_progress":
            return answer(409, reason="in_progress")
        return answer(found["status"], True, found["reason"], json.loads(found["body"]))
    now = datetime.now(timezone.utc)
    db.execute(
        "INSERT INTO memory(client_id, endpoint, idem_key, fingerprint, at, state)"
        " VALUES (?, ?, ?, ?, ?, 'in_progress')",
        [*key, fingerprint, now.timestamp()],
    )
    if crash:
        db.execute("COMMIT")
        os._exit(99)
    receipt = {"transfer_id": str(uuid4()), "amount": body["amount"], "created_at": str(now), "reference": None}
    db.execute("UPDATE account SET balance = balance + ? WHERE acct_id = ?", (body["amount"], body["dst"]))
    db.execute("UPDATE account SET balance = balance - ? WHERE acct_id = ?", (body["amount"], body["src"]))
    db.execute(
        "INSERT INTO transfer(transfer_id, src, dst, amount, currency, created_at) VALUES (?, ?, ?, ?, ?, ?)",
        (receipt["transfer_id"], body["src"], body["dst"], body["amount"], body["currency"], str(now)),
    )
    db.execute(
        "UPDATE memory SET state = 'completed', status = 201, reason = 'created', body = ?"
        " WHERE client_id = ? AND endpoint = ? AND idem_key = ?",
        [json.dumps(receipt), *key],
    )
    return answer(201, False, "created", receipt)


def main():
    try:
        args = parser.parse_args()
        request = json.load(args.request) if args.request else None
    except (OSError, ValueError):
        sys.exit(3)
    db = sqlite3.connect(args.db, isolation_level=None, timeout=20)
    db.row_factory = sqlite3.Row
    db.execute("BEGIN EXCLUSIVE")
    db.execute(
        "CREATE TABLE IF NOT EXISTS memory(client_id, endpoint, idem_key, fingerprint, state, status, reason, body, at,"
        " UNIQUE (client_id, endpoint, idem_key))"
    )
    db.execute("CREATE TABLE IF NOT EXISTS transfer(transfer_id, src, dst, amount, currency, created_at)")
    if args.purge_before:
        gone = db.execute("DELETE FROM memory WHERE at < ? AND body NOTNULL", (args.purge_before.timestamp(),)).rowcount
        output = {"purged": gone}
    else:
        output = handle(db, request, args.crash_after_claim)
    db.execute("COMMIT")
    print(json.dumps(output, indent="\t"))


if __name__ == "__main__":
    main()
