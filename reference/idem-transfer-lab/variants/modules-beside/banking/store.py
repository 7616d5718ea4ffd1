import collections
import datetime
import json
import re
import secrets
import sqlite3

Record = collections.namedtuple("Record", "digest status body")
MINE = object()


def instant(text):
    """Before Python 3.11 fromisoformat knew no Z, and no fraction of any other length."""
    return datetime.datetime.fromisoformat(
        re.sub(r"\.\d+", lambda part: part[0].ljust(7, "0"), text.replace("Z", "+00:00"))
    )


class Store:
    def __init__(self, path):
        self.db = sqlite3.connect(path, timeout=12, isolation_level=None)
        self.db.execute(
            "CREATE TABLE IF NOT EXISTS transfer(transfer_id TEXT, src TEXT, dst TEXT, amount INTEGER, currency TEXT,"
            " created_at REAL)"
        )
        self.db.execute("CREATE TABLE IF NOT EXISTS records(scope TEXT UNIQUE, digest, status, body, claimed_at REAL)")

    def claim(self, scope, digest):
        now = "(julianday('now') - 2440587.5) * 86400"
        sql = f"INSERT INTO records VALUES (?, ?, NULL, NULL, {now}) ON CONFLICT DO NOTHING"
        if self.db.execute(sql, (json.dumps(scope), digest)).rowcount:
            return MINE
        row = self.db.execute("SELECT digest, status, body FROM records WHERE scope = ?", (json.dumps(scope),))
        return Record(*row.fetchone())

    def execute(self, scope, body):
        src, dst, amount, currency = (body[name] for name in ("src", "dst", "amount", "currency"))
        result = {"transfer_id": secrets.token_urlsafe(9), "amount": amount, "state": "settled"}
        self.db.execute("BEGIN IMMEDIATE")
        self.db.execute("UPDATE account SET balance = balance - ? WHERE acct_id = ?", (amount, src))
        self.db.execute("UPDATE account SET balance = balance + ? WHERE acct_id = ?", (amount, dst))
        self.db.execute(
            "INSERT INTO transfer VALUES (?, ?, ?, ?, ?, julianday('now'))",
            (result["transfer_id"], src, dst, amount, currency),
        )
        self.db.execute(
            "UPDATE records SET status = 201, body = ? WHERE scope = ?", (json.dumps(result), json.dumps(scope))
        )
        self.db.execute("COMMIT")
        return result

    def purge(self, text):
        before = instant(text).timestamp()
        cursor = self.db.execute("DELETE FROM records WHERE body IS NOT NULL AND claimed_at < ?", (before,))
        return cursor.rowcount
