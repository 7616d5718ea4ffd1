import type { Bench } from '../../harness/bench.ts';
import { expectSame, Mismatch } from '../../harness/contract.ts';
import { seen } from '../../harness/expectation.ts';
import { sqlText } from '../../harness/literal.ts';
import type { Texts } from '../../harness/messages/texts.ts';
import type { Outcome } from '../../harness/subject/subject.ts';
import { isList, Special, same, Tuple, type Value } from '../../harness/value.ts';
import { plainSpelling, type Spelling, spell } from './given.ts';
import { phrases } from './messages/phrases.ts';
import * as model from './model.ts';
import { Exit, executed, Purged, type Response, readResponse } from './reply.ts';

const createAccount =
  'CREATE TABLE account(acct_id TEXT PRIMARY KEY, holder TEXT NOT NULL, balance INTEGER NOT NULL)';

export const balances = 'SELECT acct_id, balance FROM account ORDER BY acct_id COLLATE BINARY';

/** Each transfer by what the request said; the types of the columns are the submission's own. */
export const moved = `SELECT CAST(src AS TEXT), CAST(dst AS TEXT), CAST(amount AS INTEGER), CAST(currency AS TEXT) FROM transfer
  ORDER BY 1 COLLATE BINARY, 2 COLLATE BINARY, 3`;

/** The transfers whole. */
const transfers =
  'SELECT transfer_id, src, dst, amount, currency, created_at FROM transfer ORDER BY transfer_id';

/** A list that has all of these rows, once each, whatever else it has. */
class Holding extends Special {
  readonly rows: readonly Value[];
  constructor(rows: readonly Value[]) {
    super();
    this.rows = rows;
  }

  meets(found: Value): boolean {
    return isList(found) && this.rows.every((row) => found.filter((other) => same(other, row)).length === 1);
  }

  source(show: (value: Value) => string, texts: Texts): string {
    return texts.phrase(phrases.holding, { rows: this.rows.map(show).join(', ') });
  }
}

/** One database of a case: the accounts are the grader's, all else is the submission's. */
export class Bank {
  readonly #bench: Bench;
  readonly path: string;
  /** What must be true of it now. */
  model: model.Bank;
  #transfers: readonly Value[] = [];

  constructor(bench: Bench, accounts: readonly model.Account[]) {
    this.#bench = bench;
    this.path = bench.newDatabase();
    this.model = model.bankOf(accounts);
    this.#execute(createAccount);
    bench.lay(
      this.path,
      'account',
      accounts.map(({ acct_id, holder, balance }) => ({ acct_id, holder, balance: BigInt(balance) })),
    );
  }

  /** One run of the command with the request. */
  send(request: model.Request, spelling: Spelling = plainSpelling): Promise<Outcome> {
    return this.#bench.call(this.#command(request, spelling));
  }

  /** A request file with this text, whatever it is. */
  sendText(text: string): Promise<Outcome> {
    return this.#run(['--db', this.path, '--request', this.#bench.writeFile('request.json', text)]);
  }

  /** A request file that is not there. */
  sendNothing(): Promise<Outcome> {
    return this.#run(['--db', this.path, '--request', `${this.path}.no-such-request`]);
  }

  /** Claims the key, and dies before any money moves. */
  async crash(request: model.Request): Promise<void> {
    const file = this.#bench.writeFile('request.json', spell(request, plainSpelling));
    const outcome = await this.#run(['--db', this.path, '--request', file, '--crash-after-claim']);
    expectSame(outcome, new Exit('not 0'));
    this.model = model.afterCrash(this.model, request);
    this.expectMoney();
  }

  /** All requests at the same moment: their processes wait for the lock that the grader then lets go. */
  sendTogether(requests: readonly model.Request[], patience: number): Promise<Outcome[]> {
    const commands = requests.map((request, process) => ({
      ...this.#command(request, plainSpelling),
      process,
    }));
    return this.#bench.callWhileHeld(commands, { database: this.path, statements: [] }, patience);
  }

  /** The request is executed, and the money moves. Returns the response. */
  async execute(request: model.Request, spelling?: Spelling): Promise<Response> {
    const outcome = await this.send(request, spelling);
    expectSame(outcome, executed);
    this.model = model.after(this.model, request);
    this.expectMoney();
    return responseOf(outcome);
  }

  /** The request is answered like this, and no money moves. */
  async refuse(request: model.Request, expected: Special, spelling?: Spelling): Promise<Response> {
    const outcome = await this.send(request, spelling);
    expectSame(outcome, expected);
    this.expectMoney();
    return responseOf(outcome);
  }

  async purge(before: string, least: number, most = least): Promise<void> {
    expectSame(await this.#run(['--db', this.path, '--purge-before', before]), new Purged(least, most));
    this.expectMoney();
  }

  /** Another connection changes a balance. */
  deposit(account: string, amount: number): void {
    const sql = 'UPDATE account SET balance = balance + ? WHERE acct_id = ?';
    this.#bench.execute(this.path, [{ sql, parameters: [BigInt(amount), account] }]);
    const found = new Map(this.model.balances);
    found.set(account, (found.get(account) ?? 0) + amount);
    this.model = { ...this.model, balances: found };
  }

  /** From now on every attempt to change this account's balance fails. A trigger takes no parameters. */
  keepBalanceOf(account: string): void {
    this.#execute(`CREATE TRIGGER grader_keeps_balance BEFORE UPDATE ON account WHEN OLD.acct_id = ${sqlText(account)}
  BEGIN SELECT RAISE(ABORT, 'this balance stays'); END`);
  }

  letBalancesMove(): void {
    this.#execute('DROP TRIGGER grader_keeps_balance');
  }

  #execute(sql: string): void {
    this.#bench.execute(this.path, [{ sql, parameters: [] }]);
  }

  /** Balances and transfers are those of the model, and every transfer that was seen before is as it was. */
  expectMoney(): void {
    this.#bench.expectRows(this.path, balances, this.#balances());
    if (this.model.transfers.length === 0 && !this.#hasTransfers()) return;
    this.#bench.expectRows(this.path, moved, sorted(this.model.transfers));
    this.#bench.expectRows(this.path, transfers, new Holding(this.#transfers));
    const found = this.#bench.query(this.path, transfers).seen;
    this.#transfers = isList(found) ? found : [];
  }

  /** The table is the submission's to make, and it need not be there before the first transfer. */
  #hasTransfers(): boolean {
    const sql = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'transfer' COLLATE NOCASE";
    return !same(this.#bench.query(this.path, sql).seen, []);
  }

  #balances(): Value {
    return [...this.model.balances]
      .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      .map(([account, balance]) => new Tuple([account, BigInt(balance)]));
  }

  #command(request: model.Request, spelling: Spelling) {
    const file = this.#bench.writeFile('request.json', spell(request, spelling));
    return { process: 0, name: 'idem_api', args: ['--db', this.path, '--request', file] };
  }

  #run(args: readonly string[]): Promise<Outcome> {
    return this.#bench.call({ process: 0, name: 'idem_api', args });
  }
}

/** The response of an outcome that was found to be one. */
export function responseOf(outcome: Outcome): Response {
  const response = readResponse(seen(outcome));
  if (typeof response === 'string') throw new Mismatch(outcome, seen(outcome), executed);
  return response;
}

function sorted(bodies: readonly model.Body[]): Value {
  const bytes = ({ src, dst }: model.Body) => [Buffer.from(src), Buffer.from(dst)] as const;
  return [...bodies]
    .sort((a, b) => {
      const [[srcA, dstA], [srcB, dstB]] = [bytes(a), bytes(b)];
      return Buffer.compare(srcA, srcB) || Buffer.compare(dstA, dstB) || a.amount - b.amount;
    })
    .map(({ src, dst, amount, currency }) => new Tuple([src, dst, BigInt(amount), currency]));
}
