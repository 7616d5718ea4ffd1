"""Stamps are ISO text in Nepal's time, of the key's completion, parsed one by one when keys are purged.

INSERT OR IGNORE, and changes() tells who has the key. Ids are UUIDs. Options are read by hand. Between the claim and
the execution a check takes its time, so that a retry at the same moment finds the key in progress.
"""

import hashlib
import json
import re
import sqlite3
import sys
import time
import uuid
from datetime import datetime, timedelta, timezone

KATHMANDU = timezone(timedelta(hours=5, minutes=45))


def now():
    return datetime.now(KATHMANDU).isoformat()


def parse_instant(text):
    day, clock, fraction, zone = re.fullmatch(r"([\d-]+)[Tt]([\d:]+)(\.\d+)?(.+)", text).groups()
    moment = datetime.strptime(day + " " + clock, "%Y-%m-%d %H:%M:%S")
    if zone not in ("Z", "z"):
        hours, minutes = zone[1:].split(":")
        offset = timedelta(hours=int(hours), minutes=int(minutes))
        try:
            moment = moment - offset if zone[0] == "+" else moment + offset
        except OverflowError:  # the first or the last hours that a datetime can hold
            pass
    return moment, float(fraction or 0)


def connect(path):
    db = sqlite3.connect(path, timeout=10, isolation_level="IMMEDIATE")
    db.execute(
        "CREATE TABLE IF NOT EXISTS idem(client TEXT, ep TEXT, k TEXT, digest BLOB, state TEXT DEFAULT 'in_progress',"
        " stamp TEXT, status INTEGER, body TEXT, CONSTRAINT one_claim UNIQUE (ep, k, client) ON CONFLICT ABORT)"
    )
    db.execute(
        "CREATE TABLE IF NOT EXISTS transfer(transfer_id TEXT UNIQUE, src TEXT, dst TEXT, amount INTEGER,"
        " currency TEXT, created_at TEXT)"
    )
    return db


def purge(db, text):
    before = parse_instant(text)
    with db:
        db.execute("DELETE FROM idem WHERE 0")  # the driver begins its transaction here
        old = [
            (rowid,)
            for rowid, stamp in db.execute("SELECT rowid, stamp FROM idem WHERE state = 'completed'")
            if parse_instant(stamp) < before
        ]
        db.executemany("DELETE FROM idem WHERE rowid = ?", old)
    return {"purged": len(old)}


def respond(status, reason=None, body=None, replay=False):
    return {"status": status, "replay": replay, "reason": reason, "body": body}


def handle(db, request, crash):
    body = request["body"]
    key = request["client_id"], request["endpoint"], request["idem_key"]
    digest = hashlib.blake2b(json.dumps(body, sort_keys=True).encode()).digest()
    with db:
        claim = "INSERT OR IGNORE INTO idem(client, ep, k, digest, stamp) VALUES (?, ?, ?, ?, ?)"
        db.execute(claim, (*key, digest, now()))
        (mine,) = db.execute("SELECT changes()").fetchone()
    if not mine:
        found = "SELECT digest, state, status, body FROM idem WHERE client = ? AND ep = ? AND k = ?"
        before, state, status, text = db.execute(found, key).fetchone()
        if before != digest:
            return respond(422, "other body")
        if state != "completed":
            return respond(409, "in_progress")
        return respond(status, None, json.loads(text), True)
    if crash:
        raise RuntimeError("crash after claim")
    time.sleep(0.1)  # is it fraud?
    transfer_id = str(uuid.uuid4())
    with db:
        db.execute(
            "UPDATE account SET balance = balance + CASE acct_id WHEN :dst THEN :amount ELSE -:amount END"
            " WHERE acct_id IN (:src, :dst)",
            {name: body[name] for name in ("src", "dst", "amount")},
        )
        row = (transfer_id, body["src"], body["dst"], body["amount"], body["currency"], now())
        db.execute("INSERT INTO transfer VALUES (?, ?, ?, ?, ?, ?)", row)
        result = {"created_at": row[-1], "transfer_id": transfer_id}
        db.execute(
            "UPDATE idem SET state = 'completed', status = 201, body = ?, stamp = ?"
            " WHERE client = ? AND ep = ? AND k = ?",
            (json.dumps(result), now(), *key),
        )
    return respond(201, None, result)


def main(argv):
    crash = "--crash-after-claim" in argv
    argv = [arg for arg in argv if arg != "--crash-after-claim"]
    options = dict(zip(argv[::2], argv[1::2]))
    if "--purge-before" in options:
        print(json.dumps(purge(connect(options["--db"]), options["--purge-before"])))
        return
    try:
        with open(options["--request"], encoding="utf-8") as file:
            request = json.load(file)
    except (OSError, ValueError):
        sys.exit(3)
    print(json.dumps(handle(connect(options["--db"]), request, crash)))


if __name__ == "__main__":
    main(sys.argv[1:])
