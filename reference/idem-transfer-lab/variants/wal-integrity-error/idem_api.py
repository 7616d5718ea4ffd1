"""Every connection asks for WAL, and none is closed; the driver's IntegrityError says that the key is known."""

import argparse
import hashlib
import json
import re
import sqlite3
import sys
from datetime import datetime, timezone


def open_db(path):
    db = sqlite3.connect(path, timeout=15)
    db.row_factory = sqlite3.Row
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=NORMAL")
    db.executescript("""
        CREATE TABLE IF NOT EXISTS transfer(transfer_id INTEGER PRIMARY KEY, src, dst, amount, currency, created_at);
        CREATE TABLE IF NOT EXISTS idempotency(
            client_id TEXT, endpoint TEXT, idem_key TEXT, fp TEXT, state TEXT, status INT, body TEXT, created REAL,
            UNIQUE(client_id, endpoint, idem_key));
        """)
    return db


def run(db, req, crash=False):
    body = req["body"]
    key = (req["client_id"], req["endpoint"], req["idem_key"])
    fp = hashlib.sha256(json.dumps(body, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
    now = datetime.now(timezone.utc)
    try:
        with db:
            db.execute("BEGIN IMMEDIATE")
            db.execute(
                "INSERT INTO idempotency VALUES (?,?,?,?,'in_progress',NULL,NULL,?)", (*key, fp, now.timestamp())
            )
    except sqlite3.IntegrityError:
        row = db.execute("SELECT * FROM idempotency WHERE client_id=? AND endpoint=? AND idem_key=?", key).fetchone()
        if row["fp"] != fp:
            return {"status": 422, "replay": False, "reason": "key reused with another body", "body": None}
        if row["state"] == "in_progress":
            return {"status": 409, "replay": False, "reason": "in_progress", "body": None}
        return {"status": row["status"], "replay": True, "reason": "stored", "body": json.loads(row["body"])}
    if crash:
        sys.exit("crash after claim")
    with db:
        db.execute("BEGIN IMMEDIATE")
        db.execute("UPDATE account SET balance=balance-:amount WHERE acct_id=:src", body)
        db.execute("UPDATE account SET balance=balance+:amount WHERE acct_id=:dst", body)
        tid = db.execute(
            "INSERT INTO transfer(src,dst,amount,currency,created_at) VALUES (?,?,?,?,?)",
            (body["src"], body["dst"], body["amount"], body["currency"], now.isoformat()),
        ).lastrowid
        out = {"transfer_id": tid, "at": now.isoformat()}
        db.execute(
            "UPDATE idempotency SET state='completed', status=201, body=?"
            " WHERE client_id=? AND endpoint=? AND idem_key=?",
            (json.dumps(out), *key),
        )
    return {"status": 201, "replay": False, "reason": None, "body": out}


def instant(text):
    """Before Python 3.11 fromisoformat knew no Z, and no fraction of any other length."""
    return datetime.fromisoformat(re.sub(r"\.\d+", lambda part: part[0].ljust(7, "0"), text.replace("Z", "+00:00")))


def purge(db, before):
    cutoff = instant(before).timestamp()
    with db:
        return db.execute("DELETE FROM idempotency WHERE state='completed' AND created < ?", (cutoff,)).rowcount


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--db")
    ap.add_argument("--request")
    ap.add_argument("--crash-after-claim", action="store_true")
    ap.add_argument("--purge-before")
    args = ap.parse_args()
    if args.purge_before:
        print(json.dumps({"purged": purge(open_db(args.db), args.purge_before)}))
        sys.exit()
    try:
        with open(args.request, encoding="utf-8") as f:
            req = json.load(f)
    except (OSError, ValueError):
        sys.exit(3)
    print(json.dumps(run(open_db(args.db), req, args.crash_after_claim)))
