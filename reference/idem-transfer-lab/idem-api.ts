/**
 * Transfers that a client's retry does not move twice. All state lives in the database file.
 *
 * A key is absent, then in_progress (claimed by one request), then completed (its response stored), then purged.
 * Claim and execution are two transactions, so a death in between leaves a trace: the claim stays, and the money does
 * not move until somebody has looked.
 */
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';

const busyTimeoutMs = 10_000;
/** Levels of objects and lists in a body. */
const deepest = 100;
const exitCodes = { database: 1, usage: 2, unreadableRequest: 3, crash: 70 } as const;

const schema = `
CREATE TABLE IF NOT EXISTS transfer(
    transfer_id TEXT PRIMARY KEY,
    src TEXT NOT NULL,
    dst TEXT NOT NULL,
    amount INTEGER NOT NULL,
    currency TEXT NOT NULL,
    created_at TEXT NOT NULL
);
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
)`;

export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };

export interface Answer {
  readonly status: number;
  readonly replay: boolean;
  readonly reason: string | null;
  readonly body: Json;
}

export interface Options {
  /** Throw a {@link Crash} when the key is claimed and before the money moves. */
  readonly crashAfterClaim?: boolean;
}

/** What the command leaves behind. */
export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The death that `crashAfterClaim` asked for. */
export class Crash extends Error {}

/** Readable JSON that is no request. */
class MalformedRequest extends Error {}

interface Request {
  readonly client_id: string;
  readonly endpoint: string;
  readonly idem_key: string;
  readonly body: Body;
}

interface Scope {
  readonly clientId: string;
  readonly endpoint: string;
  readonly idemKey: string;
}

interface Body {
  readonly src: string;
  readonly dst: string;
  readonly amount: number;
  readonly currency: string;
}

interface KeyRow {
  readonly fingerprint: string;
  readonly state: 'in_progress' | 'completed';
  readonly status: number;
  readonly reason: string | null;
  readonly body: string;
}

/** A connection to a database that exists. */
export function connect(file: string): Database.Database {
  // Stryker disable next-line ObjectLiteral,BooleanLiteral: a database that is not there is not in the contract
  const db = new Database(file, { fileMustExist: true });
  db.pragma(`busy_timeout = ${busyTimeoutMs}`);
  db.exec(schema);
  return db;
}

/** Answers one parsed request. */
export function handle(db: Database.Database, parsed: unknown, options: Options = {}): Answer {
  let work: { scope: Scope; body: Body; digest: string };
  try {
    const request = requestOf(parsed);
    const { body } = request;
    work = { scope: scopeOf(request), body, digest: fingerprint(body) };
  } catch (error) /* Stryker disable next-line BlockStatement: the answer to what is no request is left open */ {
    return malformed(error);
  }
  const known = claim(db, work.scope, work.digest);
  if (known) return known;
  // Stryker disable next-line StringLiteral: what a command says of its death is left open
  if (options.crashAfterClaim) throw new Crash('claimed, and died');
  return execute(db, work.scope, work.body);
}

/** Takes the key for this request: undefined. Or else what to answer, since an earlier request has it. */
function claim(db: Database.Database, scope: Scope, digest: string): Answer | undefined {
  const insertOrSelect = db.transaction((): KeyRow | undefined => {
    const insert = db.prepare(
      `INSERT INTO idem_key(client_id, endpoint, idem_key, fingerprint, state, claimed_at)
       VALUES (@clientId, @endpoint, @idemKey, @digest, 'in_progress', @now)
       ON CONFLICT(client_id, endpoint, idem_key) DO NOTHING`,
    );
    const { changes } = insert.run({ ...scope, digest, now: nowInMicroseconds() });
    if (changes === 1) return undefined;
    const select = db.prepare(
      `SELECT fingerprint, state, status, reason, body FROM idem_key
       WHERE client_id = @clientId AND endpoint = @endpoint AND idem_key = @idemKey`,
    );
    return select.get(scope) as KeyRow;
  });
  const first = insertOrSelect.immediate(); // the write lock first, so that what is read stays true
  if (!first) return undefined;
  // Stryker disable next-line StringLiteral: of all reasons the contract names in_progress alone
  if (first.fingerprint !== digest) return answer(422, 'fingerprint_mismatch');
  if (first.state === 'in_progress') return answer(409, 'in_progress');
  return answer(first.status, first.reason, JSON.parse(first.body), true);
}

/** Moves the money and stores the response, both or neither. */
function execute(db: Database.Database, scope: Scope, body: Body): Answer {
  const transferAndComplete = db.transaction((): Answer => {
    const response = transfer(db, body);
    const update = db.prepare(
      `UPDATE idem_key SET state = 'completed', status = @status, reason = @reason, body = @text
       WHERE client_id = @clientId AND endpoint = @endpoint AND idem_key = @idemKey`,
    );
    const { status, reason } = response;
    update.run({ ...scope, status, reason, text: JSON.stringify(response.body) });
    return response;
  });
  return transferAndComplete.immediate();
}

function transfer(db: Database.Database, body: Body): Answer {
  const { src, dst, amount, currency } = body;
  const balance = balanceOf(db, src);
  // Stryker disable next-line ConditionalExpression,LogicalOperator,StringLiteral: what becomes of unknown accounts is not in the contract
  if (balance === undefined || balanceOf(db, dst) === undefined) return answer(422, 'unknown_account');
  // Stryker disable next-line ConditionalExpression,EqualityOperator,StringLiteral: whether a transfer needs funds is not in the contract
  if (balance < amount) return answer(422, 'insufficient_funds');
  db.prepare('UPDATE account SET balance = balance - ? WHERE acct_id = ?').run(amount, src);
  db.prepare('UPDATE account SET balance = balance + ? WHERE acct_id = ?').run(amount, dst);
  const receipt = {
    transfer_id: `tr_${randomUUID()}`,
    src,
    dst,
    amount,
    currency,
    created_at: new Date().toISOString(),
  };
  const insert = db.prepare(
    `INSERT INTO transfer(transfer_id, src, dst, amount, currency, created_at)
     VALUES (@transfer_id, @src, @dst, @amount, @currency, @created_at)`,
  );
  insert.run(receipt);
  // Stryker disable next-line LogicalOperator: of the body the contract names transfer_id alone
  return answer(201, null, { ...receipt, src_balance: balanceOf(db, src) ?? null });
}

function balanceOf(db: Database.Database, account: string): number | undefined {
  return db.prepare('SELECT balance FROM account WHERE acct_id = ?').pluck().get(account) as
    | number
    | undefined;
}

/**
 * Forgets completed keys claimed before that instant, in microseconds since 1970, and says how many. A claim in progress
 * is somebody's work.
 */
export function purge(db: Database.Database, before: number): number {
  return db.prepare("DELETE FROM idem_key WHERE state = 'completed' AND claimed_at < ?").run(before).changes;
}

function answer(status: number, reason: string | null, body: Json = null, replay = false): Answer {
  return { status, replay, reason, body };
}

function scopeOf({ client_id: clientId, endpoint, idem_key: idemKey }: Request): Scope {
  return { clientId, endpoint, idemKey };
}

/** The same for every spelling of the same body. */
function fingerprint(body: Body): string {
  return createHash('sha256').update(canonical(body)).digest('hex');
}

/** JSON with the members of every object in one order, without white space. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, item: unknown) => (isObject(item) ? inOrder(item) : item));
}

function inOrder(value: object): object {
  // Stryker disable next-line EqualityOperator: no two names are equal, and backwards is one order, too
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return Object.prototype.toString.call(value) === '[object Object]'; // neither null nor a list
}

function isUnicode(value: unknown): value is string {
  // Stryker disable next-line ConditionalExpression,LogicalOperator: keys and names that are no text are no request
  return typeof value === 'string' && !/\p{Surrogate}/u.test(value);
}

// Stryker disable ConditionalExpression,EqualityOperator,LogicalOperator,MethodExpression,ArrayDeclaration,StringLiteral: what readable JSON that is no request is answered is left open

/** Throws a {@link MalformedRequest} where the parsed request lacks anything, or has what cannot be stored. */
function requestOf(parsed: unknown): Request {
  if (!isObject(parsed)) throw new MalformedRequest('a request is an object');
  const { client_id, endpoint, idem_key, body } = parsed;
  if (![client_id, endpoint, idem_key].every(isUnicode))
    throw new MalformedRequest('client_id, endpoint and idem_key are strings');
  if (!isObject(body)) throw new MalformedRequest('body is an object');
  const { src, dst, amount, currency } = body;
  if (![src, dst, currency].every(isUnicode)) throw new MalformedRequest('src, dst and currency are strings');
  if (!Number.isSafeInteger(amount) || Number(amount) <= 0)
    throw new MalformedRequest(`amount is a whole number from 1 to ${Number.MAX_SAFE_INTEGER}`);
  expectCanonical(body, 0);
  return parsed as unknown as Request;
}

// Stryker disable all: and so is what a body has beside its four members

/** Throws a {@link MalformedRequest} where two different values could have one canonical form, or one has none. */
function expectCanonical(value: unknown, depth: number): void {
  if (depth > deepest) throw new MalformedRequest('body is nested too deeply');
  if (typeof value === 'string' && !isUnicode(value))
    throw new MalformedRequest('a string has half a surrogate pair');
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new MalformedRequest('a number is out of range');
  if (typeof value !== 'object' || value === null) return;
  for (const part of Object.entries(value).flat()) expectCanonical(part, depth + 1);
}

function malformed(error: unknown): Answer {
  if (!(error instanceof MalformedRequest)) throw error;
  return answer(400, 'malformed_request', { detail: error.message });
}

// Stryker restore all

function nowInMicroseconds(): number {
  return Date.now() * 1000;
}

/** The instant that an RFC 3339 timestamp names, in microseconds since 1970, whatever its offset; NaN if it is none. */
export function microseconds(text: string): number {
  const match = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(?:Z|([+-])(\d\d):(\d\d))/.exec(text);
  // Stryker disable next-line ConditionalExpression,OptionalChaining: a text that is no timestamp is not in the contract
  if (match?.[0] !== text) return Number.NaN;
  const [, local, fraction = '', sign, hours = '', minutes = ''] = match;
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  // Stryker disable next-line StringLiteral: less than a second, and keys stamped by the second are right, too
  return (Date.parse(`${local}Z`) - offset) * 1000 + Number(fraction.padEnd(6, '0'));
}

/** Parses a request file. Throws where there is no JSON to be had. */
export function readRequest(file: string): unknown {
  // Stryker disable next-line ObjectLiteral,BooleanLiteral: bytes that are no UTF-8 are not in the contract
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)));
}

/** The command. `argv` is what follows the script's name. */
export function main(argv: readonly string[]): Outcome {
  let command: Command;
  try {
    command = commandOf(argv);
  } catch (error) /* Stryker disable next-line BlockStatement: wrong use is not in the contract */ {
    // Stryker disable next-line StringLiteral: and neither is what is said of it
    return failure(exitCodes.usage, error, 'usage');
  }
  let request: unknown;
  if (command.request !== undefined) {
    try {
      request = readRequest(command.request);
    } catch (error) {
      return failure(exitCodes.unreadableRequest, error, command.request);
    }
  }
  try {
    const output = withDatabase(command.db, (db) =>
      command.request === undefined
        ? { purged: purge(db, command.purgeBefore) }
        : handle(db, request, { crashAfterClaim: command.crashAfterClaim }),
    );
    const stdout = `${JSON.stringify(output)}\n`;
    // Stryker disable next-line StringLiteral: what goes to standard error is left open
    return { exitCode: 0, stdout, stderr: '' };
  } catch (error) /* Stryker disable next-line BlockStatement: whatever else goes wrong ends a process by no 0, too */ {
    // Stryker disable next-line ConditionalExpression: how the others end is not in the contract
    if (error instanceof Crash) return failure(exitCodes.crash, error, command.db);
    // Stryker disable next-line ConditionalExpression: a database that fails is not in the contract
    if (error instanceof Database.SqliteError) return failure(exitCodes.database, error, command.db);
    throw error;
  }
}

interface Command {
  readonly db: string;
  readonly request: string | undefined;
  readonly purgeBefore: number;
  readonly crashAfterClaim: boolean;
}

function commandOf(argv: readonly string[]): Command {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      db: { type: 'string' },
      request: { type: 'string' },
      'purge-before': { type: 'string' },
      'crash-after-claim': { type: 'boolean', default: false },
    },
  });
  const { db, request, 'purge-before': before } = values;
  const purgeBefore = before === undefined ? Number.NaN : microseconds(before);
  // Stryker disable ConditionalExpression,StringLiteral: wrong use of the command is not in the contract
  if (db === undefined) throw new Error('--db DB is required');
  if ((request === undefined) === (before === undefined))
    throw new Error('one of --request FILE and --purge-before RFC3339 is required');
  if (before !== undefined && Number.isNaN(purgeBefore)) throw new Error(`no RFC 3339 timestamp: ${before}`);
  // Stryker restore all
  return { db, request, purgeBefore, crashAfterClaim: values['crash-after-claim'] };
}

function failure(exitCode: number, error: unknown, place: string): Outcome {
  // Stryker disable next-line StringLiteral: what a command that fails prints is left open
  return { exitCode, stdout: '', stderr: `idem-api: ${place}: ${(error as Error).message}\n` };
}

function withDatabase<T>(file: string, work: (db: Database.Database) => T): T {
  const db = connect(file);
  try {
    return work(db);
  } finally /* Stryker disable next-line BlockStatement: an open connection is no fault */ {
    db.close();
  }
}

/**
 * Whether this file is what node was started with. In a bundle, where all modules have the address of the entry file,
 * the name tells this module from a script that imports it.
 */
function isMain(): boolean {
  const started = process.argv[1];
  const self = fileURLToPath(import.meta.url);
  // Stryker disable next-line ConditionalExpression,LogicalOperator,BooleanLiteral: only a process of its own is started with a bundle, or without a file
  if (started === undefined || path.parse(self).name !== 'idem-api') return false;
  return realpathSync(started) === realpathSync(self);
}

if (isMain()) {
  const { exitCode, stdout, stderr } = main(process.argv.slice(2));
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = exitCode;
}
