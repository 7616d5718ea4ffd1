"""Transfers that a client's retry does not move twice. All state lives in the database file.

A key is absent, then in_progress (claimed by one request), then completed (its response stored), then purged.
Claim and execution are two transactions, so a death in between leaves a trace: the claim stays, and the money does not
move until somebody has looked.
"""

import argparse
import hashlib
import json
import os
import re
import sqlite3
import sys
import time
import uuid
from contextlib import closing, contextmanager
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path

BUSY_TIMEOUT_MS = 10_000
EXIT_DATABASE, EXIT_UNREADABLE_REQUEST, EXIT_CRASH = 1, 3, 70
MAX_AMOUNT = 2**53 - 1

SCHEMA = (
    """
    CREATE TABLE IF NOT EXISTS transfer(
        transfer_id TEXT PRIMARY KEY,
        src TEXT NOT NULL,
        dst TEXT NOT NULL,
        amount INTEGER NOT NULL,
        currency TEXT NOT NULL,
        created_at TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS idem_key(
        client_id TEXT NOT NULL,
        endpoint TEXT NOT NULL,
        idem_key TEXT NOT NULL,
        fingerprint TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('in_progress', 'completed')),
        claimed_at INTEGER NOT NULL,
        status INTEGER,
        reason TEXT,
        body TEXT,
        PRIMARY KEY (client_id, endpoint, idem_key)
    )
    """,
)

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
RFC3339 = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(?:Z|([+-])(\d\d):(\d\d))", re.ASCII)


class MalformedRequest(ValueError):
    """Readable JSON that is no request."""


def connect(path):
    """A connection to a database that exists, in autocommit mode: transactions are begun by name."""
    db = sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode=rw", uri=True, isolation_level=None)
    try:
        db.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
        for statement in SCHEMA:
            db.execute(statement)
    except BaseException:
        db.close()
        raise
    return db


@contextmanager
def transaction(db):
    """The write lock from the first statement on, so that what is read stays true until COMMIT."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


def handle(db, request, crash_after_claim=False):
    """Answers one parsed request: a dict of status, replay, reason and body."""
    try:
        scope, body = scope_of(request), body_of(request)
        digest = fingerprint(body)
    except MalformedRequest as error:
        return answer(400, "malformed_request", {"detail": str(error)})
    known = claim(db, scope, digest)
    if known is not None:
        return known
    if crash_after_claim:
        os._exit(EXIT_CRASH)
    return execute(db, scope, body)


def claim(db, scope, digest):
    """Takes the key for this request: None. Or else what to answer, since an earlier request has it."""
    with transaction(db):
        inserted = db.execute(
            "INSERT INTO idem_key(client_id, endpoint, idem_key, fingerprint, state, claimed_at)"
            " VALUES (?, ?, ?, ?, 'in_progress', ?) ON CONFLICT(client_id, endpoint, idem_key) DO NOTHING",
            (*scope, digest, now_in_microseconds()),
        )
        if inserted.rowcount == 1:
            return None
        first, state, status, reason, body = db.execute(
            "SELECT fingerprint, state, status, reason, body FROM idem_key"
            " WHERE client_id = ? AND endpoint = ? AND idem_key = ?",
            scope,
        ).fetchone()
    if first != digest:
        return answer(422, "fingerprint_mismatch")
    if state == "in_progress":
        return answer(409, "in_progress")
    return answer(status, reason, json.loads(body), replay=True)


def execute(db, scope, body):
    """Moves the money and stores the response, both or neither."""
    with transaction(db):
        response = transfer(db, body)
        db.execute(
            "UPDATE idem_key SET state = 'completed', status = ?, reason = ?, body = ?"
            " WHERE client_id = ? AND endpoint = ? AND idem_key = ?",
            (response["status"], response["reason"], json.dumps(response["body"]), *scope),
        )
    return response


def transfer(db, body):
    src, dst, amount, currency = (body[name] for name in ("src", "dst", "amount", "currency"))
    balance = balance_of(db, src)
    if balance is None or balance_of(db, dst) is None:
        return answer(422, "unknown_account")
    if balance < amount:
        return answer(422, "insufficient_funds")
    db.execute("UPDATE account SET balance = balance - ? WHERE acct_id = ?", (amount, src))
    db.execute("UPDATE account SET balance = balance + ? WHERE acct_id = ?", (amount, dst))
    receipt = {
        "transfer_id": f"tr_{uuid.uuid4().hex}",
        "src": src,
        "dst": dst,
        "amount": amount,
        "currency": currency,
        "created_at": datetime.now(timezone.utc).isoformat(),
    }
    db.execute(
        "INSERT INTO transfer(transfer_id, src, dst, amount, currency, created_at)"
        " VALUES (:transfer_id, :src, :dst, :amount, :currency, :created_at)",
        receipt,
    )
    return answer(201, None, {**receipt, "src_balance": balance_of(db, src)})


def balance_of(db, account):
    row = db.execute("SELECT balance FROM account WHERE acct_id = ?", (account,)).fetchone()
    return None if row is None else row[0]


def purge(db, before):
    """Forgets completed keys claimed before that instant and says how many. A claim in progress is somebody's work."""
    with transaction(db):
        return db.execute("DELETE FROM idem_key WHERE state = 'completed' AND claimed_at < ?", (before,)).rowcount


def answer(status, reason, body=None, replay=False):
    return {"status": status, "replay": replay, "reason": reason, "body": body}


def scope_of(request):
    if not isinstance(request, dict):
        raise MalformedRequest("a request is an object")
    scope = tuple(request.get(name) for name in ("client_id", "endpoint", "idem_key"))
    if not all(isinstance(part, str) and is_unicode(part) for part in scope):
        raise MalformedRequest("client_id, endpoint and idem_key are strings")
    return scope


def body_of(request):
    body = request.get("body")
    if not isinstance(body, dict):
        raise MalformedRequest("body is an object")
    if not all(isinstance(body.get(name), str) for name in ("src", "dst", "currency")):
        raise MalformedRequest("src, dst and currency are strings")
    amount = body.get("amount")
    if type(amount) is not int or not 0 < amount <= MAX_AMOUNT:
        raise MalformedRequest(f"amount is an int from 1 to {MAX_AMOUNT}")
    return body


def fingerprint(body):
    """The same for every spelling of the same body, as RFC 8785 has it."""
    try:
        return hashlib.sha256(canonical(body).encode()).hexdigest()
    except RecursionError:
        raise MalformedRequest("body is nested too deeply") from None


def canonical(value):
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join(f"{canonical(name)}:{canonical(value[name])}" for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return canonical_number(value)
    if isinstance(value, str) and not is_unicode(value):
        raise MalformedRequest("a string has half a surrogate pair")
    return json.dumps(value, ensure_ascii=False)


def canonical_number(number):
    """As ECMAScript prints it. It has the same shortest digits as repr, and other ideas of when to use an exponent."""
    try:
        sign, digits, exponent = Decimal(repr(float(number))).normalize().as_tuple()
    except OverflowError:
        raise MalformedRequest("a number is out of range") from None
    if not isinstance(exponent, int):  # 1e999 is read as an infinity
        raise MalformedRequest("a number is out of range")
    minus, digits = "-" if sign and digits != (0,) else "", "".join(map(str, digits))
    point = len(digits) + exponent  # where it stands, counted from the first digit
    if len(digits) <= point <= 21:
        text = digits + "0" * exponent
    elif 0 < point <= 21:
        text = f"{digits[:point]}.{digits[point:]}"
    elif -6 < point <= 0:
        text = f"0.{'0' * -point}{digits}"
    else:
        text = f"{digits[0]}{'.' if digits[1:] else ''}{digits[1:]}e{point - 1:+d}"
    return minus + text


def is_unicode(text):
    return not any("\ud800" <= character <= "\udfff" for character in text)


def now_in_microseconds():
    return time.time_ns() // 1000


def microseconds(text):
    """The instant that an RFC 3339 timestamp names, in microseconds since 1970, whatever its offset."""
    match = RFC3339.fullmatch(text)
    if not match:
        raise ValueError(f"no RFC 3339 timestamp: {text}")
    day, clock, fraction, sign, hours, minutes = match.groups()
    offset = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
    local = datetime.fromisoformat(f"{day}T{clock}.{(fraction or '').ljust(6, '0')}+00:00") - EPOCH
    return (local + offset if sign == "-" else local - offset) // timedelta(microseconds=1)


def read_request(path):
    """Raises OSError or ValueError where there is no JSON to be had."""

    def refuse(constant):
        raise ValueError(f"{constant} is no JSON")

    try:
        return json.loads(Path(path).read_bytes(), parse_constant=refuse)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def instant(text):
    try:
        return microseconds(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def parse_arguments(argv):
    parser = argparse.ArgumentParser(description="Answers one transfer request, or forgets old idempotency keys.")
    parser.add_argument("--db", required=True, help="the SQLite database")
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--request", metavar="FILE", help="a JSON file with client_id, endpoint, idem_key and body")
    action.add_argument("--purge-before", metavar="RFC3339", type=instant, help="delete the keys older than this")
    parser.add_argument("--crash-after-claim", action="store_true", help="die before the money moves")
    return parser.parse_args(argv)


def main(argv=None):
    arguments = parse_arguments(argv)
    request = None
    if arguments.request is not None:
        try:
            request = read_request(arguments.request)
        except (OSError, ValueError) as error:
            print(f"idem_api: {arguments.request}: {error}", file=sys.stderr)
            return EXIT_UNREADABLE_REQUEST
    try:
        with closing(connect(arguments.db)) as db:
            if arguments.request is None:
                output = {"purged": purge(db, arguments.purge_before)}
            else:
                output = handle(db, request, arguments.crash_after_claim)
    except sqlite3.Error as error:
        print(f"idem_api: {arguments.db}: {error}", file=sys.stderr)
        return EXIT_DATABASE
    print(json.dumps(output))
    return 0


if __name__ == "__main__":
    sys.exit(main())
