import { parse, stringify } from 'lossless-json';
import { fromJson } from '../../harness/json.ts';
import type { InEveryTongue, Texts, Values } from '../../harness/messages/texts.ts';
import { isDict, Special, type Value } from '../../harness/value.ts';
import { phrases } from './messages/phrases.ts';

/** What a command printed, once it has the shape that every response has. */
export interface Response {
  readonly status: bigint;
  readonly replay: boolean;
  readonly reason: string | null;
  /** The body's JSON with its members in the order and its numbers in the spelling of the response; or null. */
  readonly body: string | null;
  readonly transferId: Value | undefined;
}

/** The one JSON value on standard output of a command that exits with 0, or why it is none. */
export function readResponse(seen: Value): Response | string {
  const value = readOutput(seen);
  if (typeof value === 'string') return value;
  const { text, json } = value;
  if (!isDict(json)) return 'no JSON object';
  const [status, replay, reason, body] = ['status', 'replay', 'reason', 'body'].map((name) => json.get(name));
  if (typeof status !== 'bigint') return 'status is no int';
  if (typeof replay !== 'boolean') return 'replay is no bool';
  if (reason !== null && typeof reason !== 'string') return 'reason is neither a string nor null';
  if (body !== null && (body === undefined || !isDict(body))) return 'body is neither an object nor null';
  const transferId = isDict(body ?? null)
    ? (body as ReadonlyMap<Value, Value>).get('transfer_id')
    : undefined;
  return { status, replay, reason, body: body === null ? null : canonical(text), transferId };
}

/** What stands on standard output as JSON, or why it cannot be read. */
export function readOutput(seen: Value): { text: string; json: Value } | string {
  if (!isDict(seen)) return 'no result';
  if (seen.get('exit') !== 0n) return `exit code ${String(seen.get('exit'))}`;
  const text = String(seen.get('stdout'));
  if (text.trim() === '') return 'nothing on standard output';
  try {
    return { text, json: fromJson(text) };
  } catch {
    return 'standard output is not one JSON value';
  }
}

/** White space and the escaping of characters do not count; all else does. */
function canonical(text: string): string {
  const { body } = parse(text) as { body: unknown };
  return stringify(body) ?? '';
}

/** A command that exits with 0 and prints a response for which all of this holds. */
export class Reply extends Special {
  readonly what: InEveryTongue;
  readonly values: Values;
  readonly holds: (response: Response) => boolean;
  constructor(what: InEveryTongue, holds: (response: Response) => boolean, values: Values = {}) {
    super();
    this.what = what;
    this.values = values;
    this.holds = holds;
  }

  meets(seen: Value): boolean {
    const response = readResponse(seen);
    return typeof response !== 'string' && this.holds(response);
  }

  source(_show: unknown, texts: Texts): string {
    return texts.phrase(phrases.reply, { what: texts.phrase(this.what, this.values) });
  }
}

export const executed = new Reply(
  phrases.executed,
  ({ status, replay, transferId }) =>
    status === 201n && !replay && transferId !== undefined && transferId !== null,
);

export const notAgain = new Reply(phrases.notAgain, ({ status, replay }) => replay || status === 409n);

export const otherBody = new Reply(phrases.otherBody, ({ status }) => status === 422n);

export const inProgress = new Reply(
  phrases.inProgress,
  ({ status, reason }) => status === 409n && reason === 'in_progress',
);

/** The first response, as it was sent. */
export class ReplayOf extends Reply {
  readonly first: Response;
  constructor(first: Response) {
    super(
      phrases.replayOf,
      ({ status, replay, body }) => status === first.status && replay && body === first.body,
      { status: String(first.status), body: String(first.body) },
    );
    this.first = first;
  }
}

export function replayOf(first: Response): Reply {
  return new ReplayOf(first);
}

/** Anything else than this. */
export class Not extends Special {
  readonly other: Special;
  constructor(other: Special) {
    super();
    this.other = other;
  }

  meets(seen: Value): boolean {
    return !this.other.meets(seen);
  }

  source(show: (value: Value) => string, texts: Texts): string {
    return texts.phrase(phrases.not, { other: this.other.source(show, texts) });
  }
}

/** A command that ends with another code than 0 (or with this one). */
export class Exit extends Special {
  readonly code: bigint | 'not 0';
  constructor(code: bigint | 'not 0') {
    super();
    this.code = code;
  }

  meets(seen: Value): boolean {
    const exit = isDict(seen) ? seen.get('exit') : undefined;
    return typeof exit === 'bigint' && (this.code === 'not 0' ? exit !== 0n : exit === this.code);
  }

  source(_show: unknown, texts: Texts): string {
    const { code } = this;
    return code === 'not 0'
      ? texts.phrase(phrases.otherExit)
      : texts.phrase(phrases.exit, { code: String(code) });
  }
}

/** `{"purged": n}` with n among these. */
export class Purged extends Special {
  readonly least: number;
  readonly most: number;
  constructor(least: number, most: number) {
    super();
    this.least = least;
    this.most = most;
  }

  meets(seen: Value): boolean {
    const output = readOutput(seen);
    const count = typeof output !== 'string' && isDict(output.json) ? output.json.get('purged') : undefined;
    return typeof count === 'bigint' && count >= this.least && count <= this.most;
  }

  source(_show: unknown, texts: Texts): string {
    const { least, most } = this;
    const count = least === most ? least : texts.phrase(phrases.range, { least, most });
    return texts.phrase(phrases.printed, { what: texts.phrase(phrases.purged, { count }) });
  }
}
