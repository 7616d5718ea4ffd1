"""No busy timeout: a transaction that finds the database locked is tried again, for some seconds, by a loop of its own.

A key's state is a JSON document, and its row is replaced by another when it is completed. The crash is a SIGINT.
"""

import argparse
import hashlib
import json
import random
import sqlite3
import sys
import time
import uuid
from calendar import timegm

TABLES = [
    "CREATE TABLE IF NOT EXISTS transfer(transfer_id, src TEXT, dst TEXT, amount INTEGER, currency TEXT, created_at)",
    "CREATE TABLE IF NOT EXISTS seen(client_id, endpoint, idem_key, document TEXT, at REAL,"
    " PRIMARY KEY (client_id, endpoint, idem_key))",
]


def atomically(path, work):
    until = time.monotonic() + 15
    while True:
        db = sqlite3.connect(path, timeout=0, isolation_level=None)
        try:
            db.execute("BEGIN IMMEDIATE")
            for table in TABLES:
                db.execute(table)
            result = work(db)
            db.execute("COMMIT")
            return result
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
        finally:
            db.close()  # which rolls back
        time.sleep(random.uniform(0.001, 0.02))


def epoch(text):
    """Seconds since 1970 of an RFC 3339 timestamp."""
    seconds = timegm(time.strptime(text[:19].upper(), "%Y-%m-%dT%H:%M:%S"))
    zone = text[19:].lstrip(".0123456789")
    fraction = float("0" + text[19 : len(text) - len(zone)])
    if zone in "Zz":
        return seconds + fraction
    hours, minutes = zone[1:].split(":")
    return seconds + fraction - (int(hours) * 3600 + int(minutes) * 60) * (-1 if zone[0] == "-" else 1)


def handle(path, request, crash):
    key = (request["client_id"], request["endpoint"], request["idem_key"])
    body = request["body"]
    digest = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
    where = " WHERE client_id = ? AND endpoint = ? AND idem_key = ?"

    def claim(db):
        try:
            document = json.dumps({"digest": digest})
            db.execute("INSERT INTO seen VALUES (?, ?, ?, ?, ?)", (*key, document, time.time()))
            return None
        except sqlite3.IntegrityError:
            return json.loads(db.execute("SELECT document FROM seen" + where, key).fetchone()[0])

    def execute(db):
        transfer_id = uuid.uuid4().hex
        db.execute("UPDATE account SET balance = balance - ? WHERE acct_id = ?", (body["amount"], body["src"]))
        db.execute("UPDATE account SET balance = balance + ? WHERE acct_id = ?", (body["amount"], body["dst"]))
        row = (transfer_id, body["src"], body["dst"], body["amount"], body["currency"], time.time())
        db.execute("INSERT INTO transfer VALUES (?, ?, ?, ?, ?, ?)", row)
        response = {"status": 201, "reason": None, "body": {"transfer_id": transfer_id, "at": row[-1]}}
        document = json.dumps({"digest": digest, "response": response})
        db.execute("REPLACE INTO seen SELECT ?, ?, ?, ?, at FROM seen" + where, (*key, document, *key))
        return {**response, "replay": False}

    known = atomically(path, claim)
    if known is None:
        if crash:
            raise KeyboardInterrupt
        return atomically(path, execute)
    if known["digest"] != digest:
        return {"status": 422, "reason": "mismatch", "body": None, "replay": False}
    if "response" not in known:
        return {"status": 409, "reason": "in_progress", "body": None, "replay": False}
    return {**known["response"], "replay": True}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--db", required=True)
    parser.add_argument("--request")
    parser.add_argument("--purge-before", type=epoch)
    parser.add_argument("--crash-after-claim", action="store_true")
    args = parser.parse_args()
    if args.purge_before is not None:
        sql = "DELETE FROM seen WHERE at < ? AND json_extract(document, '$.response') IS NOT NULL"
        print(json.dumps({"purged": atomically(args.db, lambda db: db.execute(sql, (args.purge_before,)).rowcount)}))
        return 0
    try:
        with open(args.request, encoding="utf-8") as file:
            request = json.load(file)
    except (OSError, ValueError):
        return 3
    print(json.dumps(handle(args.db, request, args.crash_after_claim)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
