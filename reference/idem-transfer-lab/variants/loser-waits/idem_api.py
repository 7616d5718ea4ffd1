"""Who comes second waits a little for the first to complete, and replays its response; only then is it a 409."""

import argparse
import hashlib
import json
import os
import sqlite3
import sys
import time
import uuid
from datetime import datetime, timezone

PATIENCE = 0.6  # seconds
SCOPE = ("client_id", "endpoint", "idem_key")


class Keys:
    def __init__(self, path):
        self.db = sqlite3.connect(path, isolation_level=None)
        self.db.execute("PRAGMA busy_timeout = 8000")
        self.db.execute(
            "CREATE TABLE IF NOT EXISTS transfer(transfer_id TEXT PRIMARY KEY NOT NULL, src TEXT NOT NULL,"
            " dst TEXT NOT NULL, amount INTEGER NOT NULL, currency TEXT NOT NULL, created_at TEXT NOT NULL)"
        )
        self.db.execute(
            "CREATE TABLE IF NOT EXISTS claim(client_id TEXT, endpoint TEXT, idem_key TEXT, fingerprint TEXT,"
            " state TEXT, status INTEGER, body TEXT, claimed_at TEXT)"
        )
        self.db.execute("CREATE UNIQUE INDEX IF NOT EXISTS claim_scope ON claim(client_id, endpoint, idem_key)")

    def claim(self, request, digest):
        row = [request[name] for name in SCOPE]
        sql = "INSERT INTO claim SELECT ?, ?, ?, ?, 'in_progress', NULL, NULL, strftime('%Y-%m-%d %H:%M:%f')"
        try:
            self.db.execute(sql, (*row, digest))
            return True
        except sqlite3.IntegrityError:
            return False

    def look(self, request):
        sql = "SELECT fingerprint, state, status, body FROM claim WHERE client_id = ? AND endpoint = ? AND idem_key = ?"
        return self.db.execute(sql, [request[name] for name in SCOPE]).fetchone()

    def wait(self, request):
        until = time.monotonic() + PATIENCE
        while True:
            found = self.look(request)
            if found[1] == "completed" or time.monotonic() > until:
                return found
            time.sleep(0.02)

    def complete(self, request):
        body = request["body"]
        self.db.execute("BEGIN IMMEDIATE")
        moved = {**body, "transfer_id": uuid.uuid4().hex, "at": datetime.now(timezone.utc).isoformat()}
        self.db.executemany(
            "UPDATE account SET balance = balance + ? WHERE acct_id = ?",
            [(-body["amount"], body["src"]), (body["amount"], body["dst"])],
        )
        self.db.execute("INSERT INTO transfer VALUES (:transfer_id, :src, :dst, :amount, :currency, :at)", moved)
        self.db.execute(
            "UPDATE claim SET state = 'completed', status = 201, body = ?"
            " WHERE client_id = ? AND endpoint = ? AND idem_key = ?",
            [json.dumps(moved), *[request[name] for name in SCOPE]],
        )
        self.db.execute("COMMIT")
        return moved

    def purge(self, text):
        """SQLite's own date functions know offsets; they keep milliseconds, as do the stamps."""
        return self.db.execute(
            "DELETE FROM claim WHERE state = 'completed' AND julianday(claimed_at) < julianday(?)", (text,)
        ).rowcount


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--db", required=True)
    group = parser.add_mutually_exclusive_group(required=True)
    group.add_argument("--request", type=os.path.abspath)
    group.add_argument("--purge-before")
    parser.add_argument("--crash-after-claim", action="store_true")
    args = parser.parse_args()
    if args.purge_before is not None:
        print(json.dumps({"purged": Keys(args.db).purge(args.purge_before)}))
        return 0
    try:
        with open(args.request, encoding="utf-8-sig") as file:
            request = json.load(file)
    except (OSError, ValueError):
        return 3
    keys = Keys(args.db)
    digest = hashlib.sha256(json.dumps(request["body"], sort_keys=True).encode()).hexdigest()
    answer = {"status": 201, "replay": False, "reason": None, "body": None}
    if keys.claim(request, digest):
        if args.crash_after_claim:
            os._exit(1)
        answer["body"] = keys.complete(request)
    else:
        first, state, status, body = keys.wait(request)
        if first != digest:
            answer.update(status=422, reason="fingerprint")
        elif state != "completed":
            answer.update(status=409, reason="in_progress")
        else:
            answer.update(status=status, replay=True, body=json.loads(body))
    print(json.dumps(answer))
    return 0


if __name__ == "__main__":
    sys.exit(main())
