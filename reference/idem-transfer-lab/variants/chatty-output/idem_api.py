"""The response is indented, not escaped, has more members and another order of members; every step is logged to stderr.

The body's text is stored as it was sent, with members, numbers and letters that a rewrite would spell in another way.
"""

import argparse
import hashlib
import json
import logging
import os
import re
import sqlite3
import sys
import time
from datetime import datetime

log = logging.getLogger("이체")

TABLES = (
    "CREATE TABLE IF NOT EXISTS transfer(created_at TEXT, currency TEXT, amount INTEGER, dst TEXT, src TEXT,"
    " transfer_id TEXT PRIMARY KEY)",
    "CREATE TABLE IF NOT EXISTS idem_key(client_id TEXT, endpoint TEXT, idem_key TEXT, fingerprint TEXT, state TEXT,"
    " status INTEGER, sent TEXT, claimed_ms INTEGER, PRIMARY KEY (endpoint, client_id, idem_key)) WITHOUT ROWID",
)


def instant(text):
    """Before Python 3.11 fromisoformat knew no Z, and no fraction of any other length."""
    return datetime.fromisoformat(re.sub(r"\.\d+", lambda part: part[0].ljust(7, "0"), text.replace("Z", "+00:00")))


def reply(status, replay, reason, body_text):
    log.info("응답 %s replay=%s", status, replay)
    members = {"served_by": "창구-7", "links": {"self": "/v1/transfers"}}
    text = json.dumps({**members, "reason": reason, "replay": replay, "status": status}, indent=4, ensure_ascii=False)
    sys.stdout.buffer.write(f'\n{text[:-2]},\n    "body": {body_text}\n}}\n\n'.encode())


def main():
    logging.basicConfig(level=logging.DEBUG, stream=sys.stderr, format="%(asctime)s %(name)s %(message)s")
    parser = argparse.ArgumentParser()
    parser.add_argument("--db", required=True)
    parser.add_argument("--request")
    parser.add_argument("--purge-before", type=instant)
    parser.add_argument("--crash-after-claim", action="store_true")
    args = parser.parse_args()
    request = None
    if args.request is not None:
        try:
            with open(args.request, "rb") as file:
                request = json.loads(file.read())
        except (OSError, ValueError):
            log.exception("읽을 수 없는 요청")
            return 3

    db = sqlite3.connect(args.db, timeout=30, isolation_level=None)
    for table in TABLES:
        db.execute(table)
    if args.purge_before is not None:
        cutoff = args.purge_before.timestamp() * 1000
        gone = db.execute("DELETE FROM idem_key WHERE state = 'completed' AND claimed_ms < ?", (cutoff,)).rowcount
        log.info("삭제 %d", gone)
        sys.stdout.write(json.dumps({"purged": gone}, indent=1))
        return 0

    scope = {name: request[name] for name in ("client_id", "endpoint", "idem_key")}
    body = request["body"]
    canonical = json.dumps({**scope, "body": body}, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    fingerprint = hashlib.sha3_256(canonical.encode("utf-8", "surrogatepass")).hexdigest()
    where = " WHERE client_id = :client_id AND endpoint = :endpoint AND idem_key = :idem_key"
    claim = db.execute(
        "INSERT INTO idem_key VALUES (:client_id, :endpoint, :idem_key, :fp, 'in_progress', NULL, NULL, :now)"
        " ON CONFLICT DO NOTHING",
        {**scope, "fp": fingerprint, "now": time.time_ns() // 1_000_000},
    )
    if claim.rowcount == 0:
        first, state, status, sent = db.execute(
            "SELECT fingerprint, state, status, sent FROM idem_key" + where, scope
        ).fetchone()
        if first != fingerprint:
            reply(422, False, "본문이 다르다", "null")
        elif state == "in_progress":
            reply(409, False, "in_progress", "null")
        else:
            reply(status, True, None, sent)
        return 0
    if args.crash_after_claim:
        log.critical("죽는다")
        os._exit(255)

    db.execute("BEGIN IMMEDIATE")
    transfer_id = "송금-" + os.urandom(6).hex()
    at = datetime.now().astimezone().isoformat()
    db.execute("UPDATE account SET balance = balance - :amount WHERE acct_id = :src", body)
    db.execute("UPDATE account SET balance = balance + :amount WHERE acct_id = :dst", body)
    db.execute(
        "INSERT INTO transfer(transfer_id, src, dst, amount, currency, created_at) VALUES (?, ?, ?, ?, ?, ?)",
        (transfer_id, body["src"], body["dst"], body["amount"], body["currency"], at),
    )
    sent = (
        f'{{"z": [1.50, 1E+2, -0, 12345678901234567890123], "transfer_id": "{transfer_id}", "a": "\\u20a9 \\/ ✓",'
        f' "amount": {body["amount"]}.00, "at": "{at}"}}'
    )
    db.execute("UPDATE idem_key SET state = 'completed', status = 201, sent = :sent" + where, {**scope, "sent": sent})
    db.execute("COMMIT")
    reply(201, False, None, sent)
    return 0


if __name__ == "__main__":
    sys.exit(main())
