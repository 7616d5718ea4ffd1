import type { Called, Looked, Queried } from '../../../harness/bench.ts';
import { Mismatch } from '../../../harness/contract.ts';
import { seen } from '../../../harness/expectation.ts';
import { fromJson } from '../../../harness/json.ts';
import { type FailedCase, upToFailure } from '../../../harness/report/narrate.ts';
import { isDict, type Value } from '../../../harness/value.ts';
import type { Body, Request } from '../model.ts';
import { type Response, readResponse } from '../reply.ts';

/* A failed case of this lab, read back from its record. */

/** A command that was given, and what it left. */
export interface Command {
  /** Undefined where its file was none, or held no request. */
  readonly request: Request | undefined;
  /** The text of the request's file. */
  readonly text: string;
  readonly crash: boolean;
  /** The cut-off of a purge, as it was written. */
  readonly purge: string | undefined;
  /** Undefined where it printed none. */
  readonly response: Response | undefined;
  /** It was started at the same moment as another. */
  readonly together: boolean;
  readonly exit: Value;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where a command's outcome was not as it had to be, or the tables after it. */
export interface Account {
  readonly command: Command;
  readonly earlier: readonly Command[];
  readonly seen: Value;
  readonly expected: Value;
  /** What was looked at: the outcome, or the rows of this query. */
  readonly sql: string | undefined;
}

/** Undefined of a case in which no command was given. */
export function accountOf(failed: FailedCase): Account | undefined {
  const { reason } = failed;
  if (!(reason instanceof Mismatch)) return undefined;
  const trace = upToFailure(failed);
  const texts = new Map(
    failed.trace.flatMap((event) => (event.kind === 'write' ? [[event.path, event.text]] : [])),
  );
  const last = trace.at(-1);
  const calls = failed.trace.filter((event): event is Called => event.kind === 'call');
  const failing = last?.kind === 'call' ? last : calls.at(-1);
  if (!failing) return undefined;
  // Of commands at the same moment the other belongs to what is known, whichever came first.
  const others = calls.filter(
    (call) => call !== failing && (trace.includes(call) || call.held === failing.held),
  );
  const sql = (last as Queried | undefined)?.kind === 'query' ? (last as Queried).sql : undefined;
  return {
    command: commandOf(failing, texts),
    earlier: others.map((call) => commandOf(call, texts)),
    ...{ seen: reason.seen, expected: reason.expected, sql },
  };
}

function commandOf({ call, held, outcome }: Called, texts: ReadonlyMap<string, string>): Command {
  const after = (option: string) => call.args[call.args.indexOf(option) + 1];
  const text = texts.get(String(after('--request'))) ?? '';
  const left = outcome ? seen(outcome) : null;
  const response = readResponse(left);
  const part = (name: string) => (isDict(left) ? (left.get(name) ?? null) : null);
  return {
    request: requestOf(text),
    text,
    crash: call.args.includes('--crash-after-claim'),
    purge: call.args.includes('--purge-before') ? String(after('--purge-before')) : undefined,
    response: typeof response === 'string' ? undefined : response,
    together: held !== undefined,
    exit: part('exit'),
    stdout: String(part('stdout') ?? ''),
    stderr: String(part('stderr') ?? ''),
  };
}

function requestOf(text: string): Request | undefined {
  try {
    return JSON.parse(text) as Request;
  } catch {
    return undefined; // a file that is to be refused
  }
}

/** Whether the command answered that it has moved the money. */
export function isExecuted({ response }: Command): boolean {
  return response?.status === 201n && !response.replay;
}

export function isSameKey(a: Command, b: Command): boolean {
  return isSameScope(a, b) && a.request?.idem_key === b.request?.idem_key;
}

export function isSameScope(a: Command, b: Command): boolean {
  return a.request?.client_id === b.request?.client_id && a.request?.endpoint === b.request?.endpoint;
}

export function isSameBody(a: Body | undefined, b: Body | undefined): boolean {
  const names = ['src', 'dst', 'amount', 'currency'] as const;
  return a !== undefined && b !== undefined && names.every((name) => a[name] === b[name]);
}

/** A file that was looked at. */
export interface Look {
  readonly what: string;
  readonly seen: Value;
  readonly expected: Value;
}

export function lookOf({ reason }: FailedCase): Look | undefined {
  if (!(reason instanceof Mismatch) || (reason.of as Looked).kind !== 'look') return undefined;
  return { what: (reason.of as Looked).what, seen: reason.seen, expected: reason.expected };
}

/** What is missing of what was due, and what is there beyond it; what is there twice counts twice. */
export function differenceOf(
  seen: readonly string[],
  expected: readonly string[],
): { readonly missing: readonly string[]; readonly extra: readonly string[] } {
  const extra = [...seen];
  const missing = expected.filter((each) => {
    const at = extra.indexOf(each);
    if (at >= 0) extra.splice(at, 1);
    return at < 0;
  });
  return { missing, extra };
}

/** The members of a body as it was printed, in their order. */
export function membersOf(json: string | null): ReadonlyMap<Value, Value> {
  const value = json === null ? null : fromJson(json);
  return isDict(value) ? value : new Map();
}
