"""Triggers do the work: to complete a key inserts the transfer, and the transfer moves the balances.

The request is stored with its key, and the response's body is built by SQLite when it is stored.
"""

import argparse
import hashlib
import json
import re
import sqlite3
import sys
import time
from datetime import datetime

SCHEMA = """
CREATE TABLE IF NOT EXISTS transfer(
    transfer_id TEXT PRIMARY KEY, src TEXT, dst TEXT, amount INTEGER, currency TEXT, created_at TEXT
);
CREATE TABLE IF NOT EXISTS job(
    id INTEGER PRIMARY KEY, client_id TEXT, endpoint TEXT, idem_key TEXT, fingerprint TEXT, request TEXT,
    state TEXT NOT NULL DEFAULT 'in_progress', response TEXT, claimed_at REAL,
    UNIQUE (client_id, endpoint, idem_key)
);
CREATE TRIGGER IF NOT EXISTS move AFTER INSERT ON transfer BEGIN
    UPDATE account SET balance = balance - new.amount WHERE acct_id = new.src;
    UPDATE account SET balance = balance + new.amount WHERE acct_id = new.dst;
END;
CREATE TRIGGER IF NOT EXISTS complete AFTER UPDATE OF state ON job
WHEN old.state = 'in_progress' AND new.state = 'completed' BEGIN
    INSERT INTO transfer
    SELECT 'T' || lower(hex(randomblob(8))), json_extract(new.request, '$.src'), json_extract(new.request, '$.dst'),
        json_extract(new.request, '$.amount'), json_extract(new.request, '$.currency'), datetime('now');
    UPDATE job SET response = (
        SELECT json_object('transfer_id', transfer_id, 'created_at', created_at,
            'src_balance', (SELECT balance FROM account WHERE acct_id = src))
        FROM transfer WHERE rowid = (SELECT MAX(rowid) FROM transfer)
    ) WHERE id = new.id;
END;
"""


def instant(text):
    """Before Python 3.11 fromisoformat knew no Z, and no fraction of any other length."""
    return datetime.fromisoformat(re.sub(r"\.\d+", lambda part: part[0].ljust(7, "0"), text.replace("Z", "+00:00")))


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
            return 3
    db = sqlite3.connect(args.db, timeout=10)
    db.executescript(SCHEMA)
    if args.purge_before:
        before = instant(args.purge_before).timestamp()
        with db:
            gone = db.execute("DELETE FROM job WHERE state = 'completed' AND claimed_at < ? RETURNING id", (before,))
            print(json.dumps({"purged": len(gone.fetchall())}))
        return 0

    text = json.dumps(request["body"], sort_keys=True)
    key = (request["client_id"], request["endpoint"], request["idem_key"])
    fingerprint = hashlib.sha256(text.encode()).hexdigest()
    with db:
        claimed = db.execute(
            "INSERT INTO job(client_id, endpoint, idem_key, fingerprint, request, claimed_at) VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT(client_id, endpoint, idem_key) DO NOTHING RETURNING id",
            (*key, fingerprint, text, time.time()),
        ).fetchone()
    if claimed and args.crash_after_claim:
        sys.exit("dead")
    if claimed:
        with db:
            db.execute("UPDATE job SET state = 'completed' WHERE id = ?", claimed)
    first, state, response = db.execute(
        "SELECT fingerprint, state, response FROM job WHERE client_id = ? AND endpoint = ? AND idem_key = ?", key
    ).fetchone()
    if first != fingerprint:
        output = {"body": None, "reason": "reused", "replay": False, "status": 422}
    elif state == "in_progress":
        output = {"body": None, "reason": "in_progress", "replay": False, "status": 409}
    else:
        output = {"body": json.loads(response), "reason": None, "replay": not claimed, "status": 201}
    print(json.dumps(output))
    return 0


if __name__ == "__main__":
    sys.exit(main())
