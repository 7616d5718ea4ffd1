/**
 * One day at the gateway, in idem.db: what was asked (req_log), and what a system without keys made of it (transfer_v1).
 *
 * The same seed makes the same day, row for row, here and in gen_requests.py.
 */
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';

const database = fileURLToPath(new URL('idem.db', import.meta.url));
const seed = 20250314;
const opened = Date.parse('2025-03-14T09:00:00Z'); // Korean wall-clock time
const offset = '+09:00';

const holders = ['김서연', '이도윤', '박지우', '최하준', '정예은', '강시우', '조수아', '윤건우'];
const clients = ['app-android', 'app-ios', 'web-banking'];
const endpoint = 'POST /v1/transfers';
const openingBalance = 10_000_000;

const keys = 100;
const retries = [1, 1, 2, 1, 1, 1, 3, 1, 1, 1, 2, 1, 1, 1, 1, 1]; // of every sixth key: 20 in all
const retriesWithAnotherAmount = [7, 15]; // counted over the day: a client's bug, which a fingerprint must stop

const schema = `
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
`;

interface Body {
  readonly src: string;
  readonly dst: string;
  readonly amount: number;
  readonly currency: string;
}

interface Arrival {
  /** Seconds since opening. */
  readonly at: number;
  readonly client: string;
  readonly key: string;
  readonly body: Body;
  readonly text: string;
}

/** Park and Miller's generator: the same numbers in every language whose numbers hold 53 bits. */
class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  draw(): number {
    this.#state = (this.#state * 48_271) % 2_147_483_647;
    return this.#state;
  }

  below(limit: number): number {
    return this.draw() % limit;
  }
}

/** The day in the order of arrival. */
function requests(): Arrival[] {
  const dice = new Dice(seed);
  const arrivals: Arrival[] = [];
  let retried = 0;
  for (let number = 0; number < keys; number++) {
    let at = number * 300 + dice.below(200);
    const client = String(clients[dice.below(clients.length)]);
    const key = `${client}-${hex(dice.draw())}${hex(dice.draw())}`;
    const src = dice.below(holders.length);
    const dst = (src + 1 + dice.below(holders.length - 1)) % holders.length;
    const amount = (1 + dice.below(300)) * 1_000;
    const body = { src: accountId(src), dst: accountId(dst), amount, currency: 'KRW' };
    arrivals.push({ at, client, key, body, text: spaced(body) });
    const times = retries[number / 6] ?? 0;
    for (let time = 0; time < times; time++) {
      at += 2 + dice.below(30);
      const again = retriesWithAnotherAmount.includes(retried) ? { ...body, amount: amount + 1_000 } : body;
      const text = retried % 3 === 1 ? sorted(again) : spaced(again);
      arrivals.push({ at, client, key, body: again, text });
      retried++;
    }
  }
  return arrivals; // in order: a key and its retries come within five minutes, and then the next key
}

function spaced({ src, dst, amount, currency }: Body): string {
  return `{"src": "${src}", "dst": "${dst}", "amount": ${amount}, "currency": "${currency}"}`;
}

/** As a client library writes it that orders and spaces the same body in its own way. */
function sorted({ src, dst, amount, currency }: Body): string {
  return JSON.stringify({ amount, currency, dst, src });
}

function accountId(index: number): string {
  return `ACC-${1001 + index}`;
}

function hex(number: number): string {
  return number.toString(16).padStart(8, '0');
}

function timestamp(at: number): string {
  return new Date(opened + at * 1000).toISOString().replace('.000Z', offset);
}

rmSync(database, { force: true });
const db = new Database(database);
db.exec(schema);
const fill = db.transaction(() => {
  const account = db.prepare('INSERT INTO account(acct_id, holder, balance) VALUES (?, ?, ?)');
  holders.forEach((holder, index) => {
    account.run(accountId(index), holder, openingBalance);
  });
  const request = db.prepare(
    'INSERT INTO req_log(received_at, client_id, endpoint, idem_key, body) VALUES (?, ?, ?, ?, ?)',
  );
  const transfer = db.prepare('INSERT INTO transfer_v1 VALUES (?, ?, ?, ?, ?, ?, ?)');
  requests().forEach(({ at, client, key, body, text }, index) => {
    request.run(timestamp(at), client, endpoint, key, text);
    const id = `v1-${String(index + 1).padStart(4, '0')}`; // without keys every request is a transfer
    transfer.run(id, key, body.src, body.dst, body.amount, body.currency, timestamp(at));
  });
});
fill();
db.close();
