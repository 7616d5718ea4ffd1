import type { Signs } from '../../../harness/evidence.ts';
import { isDict, same, type Value } from '../../../harness/value.ts';
import {
  Exit,
  executed,
  inProgress,
  notAgain,
  otherBody,
  Purged,
  ReplayOf,
  Reply,
  type Response,
  readOutput,
} from '../reply.ts';
import {
  type Account,
  type Command,
  isExecuted,
  isSameBody,
  isSameKey,
  isSameScope,
  membersOf,
} from './account.ts';

/* Signs in what a command answered. */

const inOutcome = ({ sql }: Account) => sql === undefined;

/** A response was due, and none came. */
const lacksResponse = (account: Account) =>
  inOutcome(account) && account.expected instanceof Reply && account.command.response === undefined;

export const outputSigns: Signs<Account> = {
  unreadableAccepted: ({ expected, command }) => isExit(expected, 3n) && command.exit === 0n,
  unreadableOtherExit: ({ expected, command }) => isExit(expected, 3n) && command.exit !== 0n,
  crashExitZero: ({ expected, command }) => isExit(expected, 'not 0') && command.crash && command.exit === 0n,
  gaveUpLocked: (account) =>
    lacksResponse(account) && /database is locked|SQLITE_BUSY/.test(account.command.stderr),
  integrityUncaught: (account) =>
    lacksResponse(account) &&
    /IntegrityError|UNIQUE constraint failed|SQLITE_CONSTRAINT/.test(account.command.stderr),
  commandDied: (account) => lacksResponse(account) && account.command.exit !== 0n,
  stdoutEmpty: (account) => lacksResponse(account) && account.command.stdout.trim() === '',
  responseShape: (account) => lacksResponse(account) && typeof readOutput(account.seen) !== 'string',
  stdoutExtra: (account) => lacksResponse(account) && account.command.stdout.split('\n').some(isObject),
  stdoutNotJson: lacksResponse,
};

function isExit(expected: Value, code: Exit['code']): boolean {
  return expected instanceof Exit && expected.code === code;
}

function isObject(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

/** The response, where another one was due. */
function answerTo(account: Account, isDue: (expected: Value) => boolean): Response | undefined {
  return inOutcome(account) && isDue(account.expected) ? account.command.response : undefined;
}

const isNew = ({ status, replay }: Response) => status === 201n && !replay;
const retry = (expected: Value) => expected === notAgain || expected instanceof ReplayOf;

export const executionSigns: Signs<Account> = {
  transferIdMissing: (account) => {
    const response = answerTo(account, (expected) => expected === executed);
    return response !== undefined && isNew(response);
  },
  purgeOnlyCounts: ({ command, earlier, ...account }) => {
    const response = answerTo({ command, earlier, ...account }, (expected) => expected === executed);
    const made = earlier.findIndex((other) => isExecuted(other) && isSameKey(other, command));
    return (
      response !== undefined && made >= 0 && earlier.slice(made).some(({ purge }) => purge !== undefined)
    );
  },
  scopeWithoutClient: (account) => confusion(account) === 'scopeWithoutClient',
  scopeWithoutEndpoint: (account) => confusion(account) === 'scopeWithoutEndpoint',
  scopeJoined: (account) => confusion(account) === 'scopeJoined',
  keyGlobal: (account) => confusion(account) === 'keyGlobal',
  scopeConfused: (account) => confusion(account) === 'scopeConfused',
  bodyTakenForKey: (account) => confusion(account) === 'bodyTakenForKey',
  keysAlike: (account) => confusion(account) === 'keysAlike',
};

type Confusion =
  | 'scopeWithoutClient'
  | 'scopeWithoutEndpoint'
  | 'scopeJoined'
  | 'keyGlobal'
  | 'scopeConfused'
  | 'bodyTakenForKey'
  | 'keysAlike';

/** For which earlier request a new one was taken, by what they have in common. */
function confusion(account: Account): Confusion | undefined {
  const { command, earlier } = account;
  const response = answerTo(account, (expected) => expected === executed);
  if (!response || isNew(response) || earlier.some((other) => isSameKey(other, command))) return undefined;
  const known = earlier.filter((other) => isExecuted(other) || other.crash);
  const told = known.filter((other) => response.body !== null && other.response?.body === response.body);
  const kinds = new Set(
    (told.length > 0 ? told : known).flatMap((other) => confusionOf(command, other) ?? []),
  );
  const [only, ...others] = kinds;
  return others.length === 0 ? only : 'scopeConfused';
}

function confusionOf(command: Command, other: Command): Confusion | undefined {
  const [a, b] = [command.request, other.request];
  if (!a || !b) return undefined;
  if (a.idem_key !== b.idem_key) {
    if (!isSameScope(command, other)) return undefined;
    if (folded(a.idem_key) === folded(b.idem_key)) return 'keysAlike';
    return isSameBody(a.body, b.body) ? 'bodyTakenForKey' : undefined;
  }
  if (a.endpoint === b.endpoint) return 'scopeWithoutClient';
  if (a.client_id === b.client_id) return 'scopeWithoutEndpoint';
  return a.client_id + a.endpoint === b.client_id + b.endpoint ? 'scopeJoined' : 'keyGlobal';
}

function folded(text: string): string {
  return text.normalize('NFC').trim().toLowerCase();
}

export const retrySigns: Signs<Account> = {
  purgedNewer: (account) => {
    const response = answerTo(account, retry);
    const at = account.earlier.findIndex((other) => isExecuted(other) && isSameKey(other, account.command));
    const purged = at >= 0 && account.earlier.slice(at).some(({ purge }) => purge !== undefined);
    return response !== undefined && isNew(response) && purged;
  },
  bothExecuted: (account) => {
    const response = answerTo(account, retry);
    return response !== undefined && isNew(response) && account.command.together;
  },
  replayFlag: (account) => {
    const response = answerTo(account, retry);
    const { expected } = account;
    return (
      expected instanceof ReplayOf && response?.replay === false && response.body === expected.first.body
    );
  },
  retryExecuted: (account) => {
    const response = answerTo(account, retry);
    return response !== undefined && isNew(response);
  },
  mismatchTookKey: (account) => {
    const wasRefused = account.earlier.some(
      (other) => other.response?.status === 422n && isSameKey(other, account.command),
    );
    return answerTo(account, retry)?.status === 422n && wasRefused;
  },
  fingerprintUnsorted: (account) =>
    answerTo(account, retry)?.status === 422n && spelledOtherwise(account) === 'order',
  fingerprintOfText: (account) =>
    answerTo(account, retry)?.status === 422n && spelledOtherwise(account) === 'text',
  replayRefused: (account) =>
    account.expected instanceof ReplayOf && answerTo(account, retry)?.status === 409n,
  replayStatus: (account) => {
    const response = answerTo(account, retry);
    const { expected } = account;
    return (
      expected instanceof ReplayOf && response?.replay === true && response.status !== expected.first.status
    );
  },
  replayWithoutBody: (account) => {
    const response = replayed(account);
    return response !== undefined && response.body === null;
  },
  replayOfOther: (account) => {
    const { transferId } = replayed(account) ?? {};
    const others = account.earlier.filter((other) => isExecuted(other) && !isSameKey(other, account.command));
    return transferId !== undefined && others.some(({ response }) => response?.transferId === transferId);
  },
  replayReordered: (account) => bodyDiffers(account) === 'order',
  replayRespelled: (account) => bodyDiffers(account) === 'spelling',
  replayTime: (account) => bodyDiffers(account) === 'time',
  replayRecomputed: (account) => bodyDiffers(account) === 'value',
};

/** How the request is written in other words than the one that was executed. */
function spelledOtherwise({ command, earlier }: Account): 'order' | 'text' | undefined {
  const first = earlier.find((other) => isExecuted(other) && isSameKey(other, command));
  if (!first || first.text === command.text || !isSameBody(first.request?.body, command.request?.body))
    return undefined;
  const sorted = (text: string) => [...text].sort().join('');
  return sorted(first.text) === sorted(command.text) ? 'order' : 'text';
}

/** The response, where it is a replay with the right status and another body. */
function replayed(account: Account): Response | undefined {
  const response = answerTo(account, retry);
  const { expected } = account;
  const isReplay = expected instanceof ReplayOf && response?.replay === true;
  return isReplay && response.status === expected.first.status ? response : undefined;
}

const time = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;

/** In what the body of a replay differs from the one that was sent first. */
function bodyDiffers(account: Account): 'order' | 'spelling' | 'time' | 'value' | undefined {
  const response = replayed(account);
  if (!response || !(account.expected instanceof ReplayOf)) return undefined;
  const [seen, first] = [membersOf(response.body), membersOf(account.expected.first.body)];
  if (seen.size === 0 || !same([...seen.keys()].map(String).sort(), [...first.keys()].map(String).sort()))
    return undefined;
  const wrong = [...first].filter(([name, value]) => !same(seen.get(name) ?? null, value));
  if (wrong.length === 0) return 'order';
  if (wrong.every(([name, value]) => isNumber(value) && Number(value) === Number(seen.get(name))))
    return 'spelling';
  const areTimes = wrong.every(
    ([name, value]) => time.test(String(value)) && time.test(String(seen.get(name))),
  );
  return areTimes ? 'time' : 'value';
}

function isNumber(value: Value): boolean {
  return typeof value === 'bigint' || typeof value === 'number';
}

export const refusalSigns: Signs<Account> = {
  otherBodyExecuted: (account) => {
    const response = answerTo(account, (expected) => expected === otherBody);
    return response !== undefined && isNew(response);
  },
  fingerprintNotCompared: (account) =>
    answerTo(account, (expected) => expected === otherBody)?.replay === true,
  conflictFor422: (account) => answerTo(account, (expected) => expected === otherBody)?.status === 409n,
  claimLost: (account) => {
    const response = answerTo(account, (expected) => expected === inProgress);
    return response !== undefined && isNew(response);
  },
  completedTooEarly: (account) => answerTo(account, (expected) => expected === inProgress)?.replay === true,
  reasonMissing: (account) => answerTo(account, (expected) => expected === inProgress)?.status === 409n,
  mismatchFor409: (account) => answerTo(account, (expected) => expected === inProgress)?.status === 422n,
};

/** Milliseconds within which a cut-off is near the keys of its case. */
const near = 60_000;

export const purgeSigns: Signs<Account> = {
  offsetIgnored: (account) => {
    const { count, due, cut, local } = purgeOf(account) ?? { count: 0, due: 0, cut: 0, local: 0 };
    const now = Date.now();
    const shifts = Math.abs(cut - now) < near ? cut !== local : cut > now !== local > now;
    return shifts && count !== due && count > due === local > cut;
  },
  cutoffIgnored: (account) => {
    const { count, due, cut } = purgeOf(account) ?? { count: 0, due: 0, cut: 0 };
    return due === 0 && count > 0 && cut < Date.now() - near;
  },
  cutoffUnit: (account) => {
    const { count, due, cut } = purgeOf(account) ?? { count: 0, due: 0, cut: 0 };
    return count < due && cut > Date.now() + near;
  },
};

interface Purge {
  readonly count: number;
  readonly due: number;
  /** The cut-off, and what it is where its offset is not looked at: milliseconds since the epoch. */
  readonly cut: number;
  readonly local: number;
}

/** A purge that deleted more keys than it had to, or fewer. */
function purgeOf({ command, seen, expected }: Account): Purge | undefined {
  const output = readOutput(seen);
  if (!(expected instanceof Purged) || command.purge === undefined || typeof output === 'string')
    return undefined;
  const count = isDict(output.json) ? output.json.get('purged') : undefined;
  if (typeof count !== 'bigint') return undefined;
  const local = Date.parse(command.purge.replace(/(Z|[+-]\d\d:\d\d)$/, 'Z'));
  return { count: Number(count), due: expected.least, cut: Date.parse(command.purge), local };
}
