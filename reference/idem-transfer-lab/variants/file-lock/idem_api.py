"""A lock file beside the database lets one command in at a time; within it transactions are the driver's own."""

import argparse
import fcntl
import hashlib
import json
import re
import sqlite3
import sys
import uuid
from datetime import datetime, timezone


def instant(text):
    """Before Python 3.11 fromisoformat knew no Z, and no fraction of any other length."""
    return datetime.fromisoformat(re.sub(r"\.\d+", lambda part: part[0].ljust(7, "0"), text.replace("Z", "+00:00")))


def fingerprint(body):
    return hashlib.sha256(json.dumps(body, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def purge(db, before):
    old = [row for row in db.execute("SELECT rowid, claimed_at FROM idem WHERE state = 'completed'")]
    gone = [(rowid,) for rowid, at in old if datetime.fromisoformat(at) < before]
    db.executemany("DELETE FROM idem WHERE rowid = ?", gone)
    db.commit()
    return {"purged": len(gone)}


def handle(db, request, crash):
    body, key = request["body"], (request["client_id"], request["endpoint"], request["idem_key"])
    where = " WHERE client_id = ? AND endpoint = ? AND idem_key = ?"
    now = datetime.now(timezone.utc).isoformat()
    try:
        db.execute("INSERT INTO idem VALUES (?, ?, ?, ?, 'in_progress', NULL, ?)", (*key, fingerprint(body), now))
        db.commit()
    except sqlite3.IntegrityError:
        db.rollback()
        first, state, response = db.execute("SELECT fingerprint, state, response FROM idem" + where, key).fetchone()
        if first != fingerprint(body):
            return {"status": 422, "replay": False, "reason": "mismatch", "body": None}
        if state == "in_progress":
            return {"status": 409, "replay": False, "reason": "in_progress", "body": None}
        status, body = json.loads(response)
        return {"status": status, "replay": True, "reason": None, "body": body}
    if crash:
        sys.exit(75)
    receipt = {"transfer_id": uuid.uuid4().int % 2**53, "created_at": now}
    db.execute(
        "INSERT INTO transfer VALUES (?, ?, ?, ?, ?, ?)",
        (receipt["transfer_id"], body["src"], body["dst"], body["amount"], body["currency"], now),
    )
    db.execute("UPDATE account SET balance = balance - ? WHERE acct_id = ?", (body["amount"], body["src"]))
    db.execute("UPDATE account SET balance = balance + ? WHERE acct_id = ?", (body["amount"], body["dst"]))
    db.execute("UPDATE idem SET state = 'completed', response = ?" + where, (json.dumps([201, receipt]), *key))
    db.commit()
    return {"status": 201, "replay": False, "reason": None, "body": receipt}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--db", required=True)
    parser.add_argument("--request")
    parser.add_argument("--purge-before")
    parser.add_argument("--crash-after-claim", action="store_true")
    args = parser.parse_args()
    request = None
    if args.request:
        try:
            with open(args.request, encoding="utf-8") as file:
                request = json.load(file)
        except (OSError, ValueError):
            sys.exit(3)
    with open(args.db + ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        db = sqlite3.connect(args.db)
        db.execute("CREATE TABLE IF NOT EXISTS transfer(transfer_id, src, dst, amount, currency, created_at)")
        db.execute(
            "CREATE TABLE IF NOT EXISTS idem(client_id, endpoint, idem_key, fingerprint, state, response, claimed_at,"
            " PRIMARY KEY (client_id, endpoint, idem_key))"
        )
        if args.purge_before:
            output = purge(db, instant(args.purge_before))
        else:
            output = handle(db, request, args.crash_after_claim)
    sys.stdout.write(json.dumps(output))


if __name__ == "__main__":
    main()
