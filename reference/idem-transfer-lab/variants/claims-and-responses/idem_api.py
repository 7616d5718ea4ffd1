"""Claims and responses are two tables with odd names: a claim without a response is in progress.

A claim's columns are one JSON text. What is printed is sorted and without white space.
"""

import argparse
import hashlib
import json
import re
import sqlite3
import sys
import uuid
from datetime import datetime, timezone

LAYOUT = """
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS transfer(transfer_id, src TEXT, dst TEXT, amount INTEGER, currency TEXT, created_at TEXT);
CREATE TABLE IF NOT EXISTS "select"("the key" TEXT PRIMARY KEY COLLATE BINARY, 지문 TEXT, julian REAL);
CREATE TABLE IF NOT EXISTS "응답"(claim INTEGER PRIMARY KEY, status INTEGER, body TEXT);
COMMIT;
"""


def compact(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def julian(moment):
    return (moment - datetime(2000, 1, 1, 12, tzinfo=timezone.utc)).total_seconds() / 86400 + 2451545


def instant(text):
    """Before Python 3.11 fromisoformat knew no Z, and no fraction of any other length."""
    return datetime.fromisoformat(re.sub(r"\.\d+", lambda part: part[0].ljust(7, "0"), text.replace("Z", "+00:00")))


def connect(path):
    return sqlite3.connect(path, isolation_level=None, timeout=10)


def claim(db, key, digest):
    """The number of a claim that is ours, or the answer to one that is not."""
    try:
        at = julian(datetime.now(timezone.utc))
        return db.execute('INSERT INTO "select" VALUES (?, ?, ?)', (key, digest, at)).lastrowid, None
    except sqlite3.IntegrityError:
        first, status, body = db.execute(
            'SELECT 지문, status, body FROM "select" c LEFT JOIN "응답" r ON r.claim = c.rowid WHERE "the key" = ?',
            (key,),
        ).fetchone()
    if first != digest:
        return None, {"status": 422, "replay": False, "reason": "mismatch", "body": {"error": "mismatch"}}
    if status is None:
        return None, {"status": 409, "replay": False, "reason": "in_progress", "body": {"retry_after": 1}}
    return None, {"status": status, "replay": True, "reason": "replayed", "body": json.loads(body)}


def execute(db, number, body):
    db.execute("BEGIN EXCLUSIVE")
    receipt = {"transfer_id": uuid.uuid1().urn}
    for sign, side in ((-1, "src"), (1, "dst")):
        db.execute("UPDATE account SET balance = balance + ? WHERE acct_id = ?", (sign * body["amount"], body[side]))
        (receipt[side + "_balance"],) = db.execute(
            "SELECT balance FROM account WHERE acct_id = ?", (body[side],)
        ).fetchone()
    db.execute(
        "INSERT INTO transfer SELECT ?, ?, ?, ?, ?, datetime('now')",
        (receipt["transfer_id"], body["src"], body["dst"], body["amount"], body["currency"]),
    )
    db.execute('INSERT INTO "응답" VALUES (?, 201, ?)', (number, compact(receipt)))
    db.execute("COMMIT")
    return {"status": 201, "replay": False, "reason": None, "body": receipt}


def purge(db, before):
    db.execute("BEGIN IMMEDIATE")
    old = db.execute(
        'SELECT c.rowid FROM "select" c JOIN "응답" r ON r.claim = c.rowid WHERE julian < ?', (julian(before),)
    ).fetchall()
    db.executemany('DELETE FROM "응답" WHERE claim = ?', old)
    db.executemany('DELETE FROM "select" WHERE rowid = ?', old)
    db.execute("COMMIT")
    return {"purged": len(old)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--db", type=connect, required=True)
    parser.add_argument("--request")
    parser.add_argument("--purge-before", type=instant)
    parser.add_argument("--crash-after-claim", action="store_true")
    args = parser.parse_args()
    if args.request:
        try:
            with open(args.request, encoding="utf-8") as file:
                request = json.load(file)
        except (OSError, UnicodeDecodeError, json.JSONDecodeError):
            sys.exit(3)
    args.db.executescript(LAYOUT)
    if args.purge_before:
        print(compact(purge(args.db, args.purge_before)))
        return
    key = compact([request["client_id"], request["endpoint"], request["idem_key"]])
    number, known = claim(args.db, key, hashlib.md5(compact(request["body"]).encode()).hexdigest())
    if not known and args.crash_after_claim:
        sys.exit(9)
    print(compact(known or execute(args.db, number, request["body"])))


if __name__ == "__main__":
    main()
