"""Foreign keys are on, CHECKs everywhere: a transfer needs its accounts, a completed key its transfer.

The table of transfers has more columns than it needs, in another order. account(acct_id) must be a primary key.
"""

import argparse
import hashlib
import json
import re
import sqlite3
import sys
from datetime import datetime, timedelta, timezone

SCHEMA = """
CREATE TABLE IF NOT EXISTS transfer(
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ')),
    amount INTEGER NOT NULL CHECK (typeof(amount) = 'integer' AND amount > 0),
    src TEXT NOT NULL REFERENCES account(acct_id),
    dst TEXT NOT NULL REFERENCES account(acct_id) CHECK (dst <> src),
    client_id TEXT NOT NULL,
    transfer_id INTEGER PRIMARY KEY,
    currency TEXT NOT NULL CHECK (currency = 'KRW'),
    amount_text TEXT GENERATED ALWAYS AS (amount || ' ' || currency) VIRTUAL
);
CREATE TABLE IF NOT EXISTS idem_key(
    client_id TEXT NOT NULL, endpoint TEXT NOT NULL, idem_key TEXT NOT NULL,
    fingerprint TEXT NOT NULL CHECK (length(fingerprint) = 64),
    state TEXT NOT NULL CHECK (state IN ('in_progress', 'completed')),
    claimed_us INTEGER NOT NULL,
    transfer_id INTEGER REFERENCES transfer(transfer_id),
    body TEXT CHECK (body IS NULL OR json_valid(body)),
    PRIMARY KEY (client_id, endpoint, idem_key),
    CHECK ((state = 'completed') = (transfer_id IS NOT NULL))
) WITHOUT ROWID;
"""
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
MICROSECOND = timedelta(microseconds=1)


def instant(text):
    """Before Python 3.11 fromisoformat knew no Z, and no fraction of any other length."""
    return datetime.fromisoformat(re.sub(r"\.\d+", lambda part: part[0].ljust(7, "0"), text.replace("Z", "+00:00")))


def now_us():
    return (datetime.now(timezone.utc) - EPOCH) // MICROSECOND


def connect(path):
    db = sqlite3.connect(path, isolation_level=None)
    db.executescript("PRAGMA busy_timeout = 10000; PRAGMA foreign_keys = ON;" + SCHEMA)
    return db


def handle(db, request, crash):
    body = request["body"]
    key = {name: request[name] for name in ("client_id", "endpoint", "idem_key")}
    canonical = json.dumps(body, sort_keys=True, separators=(",", ":")).encode()
    params = {**key, "fp": hashlib.sha256(canonical).hexdigest(), "now": now_us()}
    where = " WHERE (client_id, endpoint, idem_key) = (:client_id, :endpoint, :idem_key)"
    db.execute("BEGIN IMMEDIATE")
    ours = db.execute(
        "INSERT INTO idem_key(client_id, endpoint, idem_key, fingerprint, state, claimed_us)"
        " VALUES (:client_id, :endpoint, :idem_key, :fp, 'in_progress', :now)"
        " ON CONFLICT DO NOTHING RETURNING 1",
        params,
    ).fetchall()
    fingerprint, state, stored = db.execute("SELECT fingerprint, state, body FROM idem_key" + where, key).fetchone()
    db.execute("COMMIT")
    if not ours:
        if fingerprint != params["fp"]:
            return {"status": 422, "replay": False, "reason": "fingerprint", "body": None}
        if state == "in_progress":
            return {"status": 409, "replay": False, "reason": "in_progress", "body": None}
        return {"status": 201, "replay": True, "reason": None, "body": json.loads(stored)}
    if crash:
        sys.exit(1)
    db.execute("BEGIN IMMEDIATE")
    db.execute(
        "UPDATE account SET balance = balance + iif(acct_id = :dst, :amount, -:amount) WHERE acct_id IN (:src, :dst)",
        {name: body[name] for name in ("src", "dst", "amount")},
    )
    (transfer_id,) = db.execute(
        "INSERT INTO transfer(src, dst, amount, currency, client_id) VALUES (?, ?, ?, ?, ?) RETURNING transfer_id",
        (body["src"], body["dst"], body["amount"], body["currency"], request["client_id"]),
    ).fetchone()
    receipt = {"src": body["src"], "transfer_id": transfer_id, "dst": body["dst"]}
    db.execute(
        "UPDATE idem_key SET state = 'completed', transfer_id = :transfer_id, body = :body" + where,
        {**key, "transfer_id": transfer_id, "body": json.dumps(receipt)},
    )
    db.execute("COMMIT")
    return {"status": 201, "replay": False, "reason": None, "body": receipt}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--db", required=True)
    parser.add_argument("--request")
    parser.add_argument("--purge-before")
    parser.add_argument("--crash-after-claim", action="store_true")
    args = parser.parse_args()
    if args.purge_before:
        before = (instant(args.purge_before) - EPOCH) // MICROSECOND
        with connect(args.db) as db:
            old = "DELETE FROM idem_key WHERE state = 'completed' AND claimed_us < ?"
            print(json.dumps({"purged": db.execute(old, (before,)).rowcount}))
        return
    try:
        with open(args.request, encoding="utf-8") as file:
            request = json.load(file)
    except (OSError, ValueError):
        sys.exit(3)
    print(json.dumps(handle(connect(args.db), request, args.crash_after_claim)))


if __name__ == "__main__":
    main()
