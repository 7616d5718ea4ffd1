/**
 * Transfers that a client's retry does not move twice. All state lives in the database file.
 *
 * A key is absent, then in_progress (claimed by one request), then completed (its response stored), then purged.
 * Claim and execution are two transactions, so a death in between leaves a trace: the claim stays, and the money does
 * not move until somebody has looked.
 */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';

const busyTimeoutMs = 10_000;
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
  const db = new Database(file, { fileMustExist: true });
  try {
    db.pragma(`busy_timeout = ${busyTimeoutMs}`);
    db.exec(schema);
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}

/** Answers one parsed request. */
export function handle(db: Database.Database, request: unknown, options: Options = {}): Answer {
  let work: { scope: Scope; body: Body; digest: string };
  try {
    const body = bodyOf(request);
    work = { scope: scopeOf(request), body, digest: fingerprint(body) };
  } catch (error) {
    if (!(error instanceof MalformedRequest)) throw error;
    return answer(400, 'malformed_request', { detail: error.message });
  }
  const known = claim(db, work.scope, work.digest);
  if (known) return known;
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
  if (balance === undefined || balanceOf(db, dst) === undefined) return answer(422, 'unknown_account');
  if (balance < amount) return answer(422, 'insufficient_funds');
  db.prepare('UPDATE account SET balance = balance - ? WHERE acct_id = ?').run(amount, src);
  db.prepare('UPDATE account SET balance = balance + ? WHERE acct_id = ?').run(amount, dst);
  const receipt = {
    transfer_id: `tr_${randomUUID().replaceAll('-', '')}`,
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

function scopeOf(request: unknown): Scope {
  const { client_id: clientId, endpoint, idem_key: idemKey } = objectOf(request, 'a request');
  if (!isUnicode(clientId) || !isUnicode(endpoint) || !isUnicode(idemKey))
    throw new MalformedRequest('client_id, endpoint and idem_key are strings');
  return { clientId, endpoint, idemKey };
}

function bodyOf(request: unknown): Body {
  const body = objectOf(objectOf(request, 'a request').body, 'body');
  const { src, dst, amount, currency } = body;
  if (!isUnicode(src) || !isUnicode(dst) || !isUnicode(currency))
    throw new MalformedRequest('src, dst and currency are strings');
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || amount <= 0)
    throw new MalformedRequest(`amount is a whole number from 1 to ${Number.MAX_SAFE_INTEGER}`);
  return { ...body, src, dst, amount, currency };
}

function objectOf(value: unknown, name: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new MalformedRequest(`${name} is an object`);
  return value as Record<string, unknown>;
}

/** The same for every spelling of the same body, as RFC 8785 has it. */
function fingerprint(body: Body): string {
  try {
    return createHash('sha256').update(canonical(body)).digest('hex');
  } catch (error) {
    if (error instanceof RangeError) throw new MalformedRequest('body is nested too deeply');
    throw error;
  }
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)); // by UTF-16 code units
    return `{${entries.map(([name, item]) => `${canonical(name)}:${canonical(item)}`).join(',')}}`;
  }
  if (typeof value === 'string' && !isUnicode(value))
    throw new MalformedRequest('a string has half a surrogate pair');
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new MalformedRequest('a number is out of range');
  return JSON.stringify(value);
}

function isUnicode(value: unknown): value is string {
  return typeof value === 'string' && !/\p{Surrogate}/u.test(value);
}

function nowInMicroseconds(): number {
  return Date.now() * 1000;
}

/** The instant that an RFC 3339 timestamp names, in microseconds since 1970, whatever its offset; NaN if it is none. */
export function microseconds(text: string): number {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(?:Z|([+-])(\d\d):(\d\d))$/.exec(text);
  if (!match) return Number.NaN;
  const [, local, fraction = '', sign, hours = '0', minutes = '0'] = match;
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  return (Date.parse(`${local}Z`) - offset) * 1000 + Number(fraction.padEnd(6, '0'));
}

/** Parses a request file. Throws where there is no JSON to be had. */
export function readRequest(file: string): unknown {
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)));
}

/** The command. `argv` is what follows the script's name. */
export function main(argv: readonly string[]): Outcome {
  let command: Command;
  try {
    command = commandOf(argv);
  } catch (error) {
    return failure(exitCodes.usage, error);
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
    return { exitCode: 0, stdout: `${JSON.stringify(output)}\n`, stderr: '' };
  } catch (error) {
    if (error instanceof Crash) return failure(exitCodes.crash, error);
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
  if (db === undefined) throw new Error('--db DB is required');
  if ((request === undefined) === (before === undefined))
    throw new Error('one of --request FILE and --purge-before RFC3339 is required');
  const purgeBefore = before === undefined ? Number.NaN : microseconds(before);
  if (before !== undefined && Number.isNaN(purgeBefore)) throw new Error(`no RFC 3339 timestamp: ${before}`);
  return { db, request, purgeBefore, crashAfterClaim: values['crash-after-claim'] };
}

function failure(exitCode: number, error: unknown, file?: string): Outcome {
  const place = file === undefined ? '' : `${file}: `;
  return { exitCode, stdout: '', stderr: `idem-api: ${place}${(error as Error).message}\n` };
}

function withDatabase<T>(file: string, work: (db: Database.Database) => T): T {
  const db = connect(file);
  try {
    return work(db);
  } finally {
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
  if (started === undefined || path.parse(self).name !== 'idem-api') return false;
  return path.resolve(started) === self || (existsSync(started) && realpathSync(started) === self);
}

if (isMain()) {
  const { exitCode, stdout, stderr } = main(process.argv.slice(2));
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = exitCode;
}
