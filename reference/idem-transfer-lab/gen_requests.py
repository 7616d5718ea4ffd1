"""One day at the gateway, in idem.db: what was asked (req_log), and what a system without keys made of it
(transfer_v1).

The same seed makes the same day, row for row, here and in gen-requests.ts.
"""

import json
import sqlite3
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

DATABASE = Path(__file__).resolve().parent / "idem.db"
SEED = 20250314
OPENED = datetime.fromisoformat("2025-03-14T09:00:00+09:00")

HOLDERS = ("김서연", "이도윤", "박지우", "최하준", "정예은", "강시우", "조수아", "윤건우")
CLIENTS = ("app-android", "app-ios", "web-banking")
ENDPOINT = "POST /v1/transfers"
OPENING_BALANCE = 10_000_000

KEYS = 100
RETRIES = (1, 1, 2, 1, 1, 1, 3, 1, 1, 1, 2, 1, 1, 1, 1, 1)  # of every sixth key: 20 in all
RETRIES_WITH_ANOTHER_AMOUNT = (7, 15)  # counted over the day: a client's bug, which a fingerprint must stop

SCHEMA = """
CREATE TABLE account(
    acct_id TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    balance INTEGER NOT NULL
);
CREATE TABLE req_log(
    seq INTEGER PRIMARY KEY,
    received_at TEXT NOT NULL,
    client_id TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    idem_key TEXT NOT NULL,
    body TEXT NOT NULL
);
CREATE TABLE transfer_v1(
    transfer_id TEXT PRIMARY KEY,
    idem_key TEXT NOT NULL,
    src TEXT NOT NULL,
    dst TEXT NOT NULL,
    amount INTEGER NOT NULL,
    currency TEXT NOT NULL,
    created_at TEXT NOT NULL
);
"""


class Dice:
    """Park and Miller's generator: the same numbers in every language whose numbers hold 53 bits."""

    def __init__(self, seed):
        self.state = seed

    def draw(self):
        self.state = self.state * 48_271 % 2_147_483_647
        return self.state

    def below(self, limit):
        return self.draw() % limit


def accounts():
    return [(f"ACC-{1001 + index}", holder, OPENING_BALANCE) for index, holder in enumerate(HOLDERS)]


def requests():
    """The day in the order of arrival: (received_at, client_id, endpoint, idem_key, body as text)."""
    dice = Dice(SEED)
    arrivals = []
    retried = 0
    for number in range(KEYS):
        at = number * 300 + dice.below(200)  # seconds since opening
        client = CLIENTS[dice.below(len(CLIENTS))]
        key = f"{client}-{dice.draw():08x}{dice.draw():08x}"
        src = dice.below(len(HOLDERS))
        dst = (src + 1 + dice.below(len(HOLDERS) - 1)) % len(HOLDERS)
        amount = (1 + dice.below(300)) * 1_000
        body = {"src": f"ACC-{1001 + src}", "dst": f"ACC-{1001 + dst}", "amount": amount, "currency": "KRW"}
        arrivals.append((at, client, key, json.dumps(body)))
        for _ in range(RETRIES[number // 6] if number % 6 == 0 and number // 6 < len(RETRIES) else 0):
            at += 2 + dice.below(30)
            again = dict(body)
            if retried in RETRIES_WITH_ANOTHER_AMOUNT:
                again["amount"] = amount + 1_000
            if retried % 3 == 1:  # a client library that orders and spaces the same body in its own way
                text = json.dumps(dict(sorted(again.items())), separators=(",", ":"))
            else:
                text = json.dumps(again)
            arrivals.append((at, client, key, text))
            retried += 1
    arrivals.sort(key=lambda arrival: arrival[0])
    return [
        ((OPENED + timedelta(seconds=at)).isoformat(), client, ENDPOINT, key, text)
        for at, client, key, text in arrivals
    ]


def transfers(log):
    """Without keys every request is a transfer."""
    for number, (received_at, _, _, key, text) in enumerate(log, start=1):
        body = json.loads(text)
        yield (f"v1-{number:04d}", key, body["src"], body["dst"], body["amount"], body["currency"], received_at)


def main():
    log = requests()
    DATABASE.unlink(missing_ok=True)
    with closing(sqlite3.connect(DATABASE)) as db:
        db.executescript(SCHEMA)
        with db:
            db.executemany("INSERT INTO account(acct_id, holder, balance) VALUES (?, ?, ?)", accounts())
            db.executemany(
                "INSERT INTO req_log(received_at, client_id, endpoint, idem_key, body) VALUES (?, ?, ?, ?, ?)", log
            )
            db.executemany("INSERT INTO transfer_v1 VALUES (?, ?, ?, ?, ?, ?, ?)", transfers(log))


if __name__ == "__main__":
    main()
