import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { Mismatch } from '../harness/contract.ts';
import { causeOf, type Evidence, type HintKey } from '../harness/evidence.ts';
import { hints } from '../harness/messages/en/hints.ts';
import { catalogues, textsOf, tongues } from '../harness/messages/texts.ts';
import { referenceBase, writeSubmission } from '../harness/mutation/base.ts';
import { fromData } from '../harness/mutation/candidates.ts';
import { Examiner } from '../harness/mutation/examiner.ts';
import { loadMutants, mutantsFolder } from '../harness/mutation/mutants.ts';
import { knownLab, labs } from '../harness/registry.ts';
import type { FailedCase } from '../harness/report/narrate.ts';
import type { FailureReport } from '../harness/report/report.ts';
import { plain } from '../harness/sandbox.ts';
import { openScratch } from '../harness/scratch.ts';
import { Opaque, type Value } from '../harness/value.ts';
import { python3 } from './submissions.ts';

/* What a failing case says of its cause: each mutant's hint names what is wrong with it, and no other does. */

const scratch = openScratch();
afterAll(() => scratch.remove());

/** Milliseconds in which every case is as small as it gets, however busy the machine. */
const ample = 60_000;

/** What the smallest case says, and what else is true of larger ones. */
type Said = readonly [HintKey | null, ...HintKey[]];

const retention: Readonly<Record<string, Said>> = {
  // the worksheet's eight
  'create-without-if-not-exists': ['tableExists'],
  'reserve-or-replace': ['keyTaken'],
  'finish-again': ['finishedTwice'],
  'fetch-at-expiry': ['boundary', 'boundaryOrFraction', 'boundaryOrClock'],
  'expired-descending': ['descending', 'insertionOrder'],
  'purge-pending': ['pendingGone'],
  'counts-pending-as-zero': ['pendingNotCounted'],
  'cycle-purges-at-9': ['cycleSecondFails'],
  // init_db
  'init-status-nullable': ['notNullMissing'],
  'init-response-not-null': ['notNullExtra'],
  'init-expires-integer': ['columnType'],
  'init-id-nocase': ['idsMerged'],
  'init-drops-table': ['initForgetsRows'],
  'init-once-a-process': ['tableExists'],
  // reserve
  'reserve-without-commit': ['notCommitted'],
  'reserve-answers-count': ['otherType'],
  'reserve-takes-over-expired': ['keyTaken'],
  'reserve-looks-then-inserts': ['raceInsertFails'],
  'reserve-looks-then-replaces': ['changedInBetween'],
  'reserve-in-first-database': ['firstDatabase'],
  'reserve-normalises-keys': ['normalised'],
  'reserve-rounds-expiry': ['timeRounded'],
  // finish
  'finish-encodes-twice': ['jsonTwice'],
  'finish-stores-repr': ['notJson'],
  'finish-loses-falsy': ['falsyLost'],
  'finish-stores-whole-floats-as-ints': ['storedOtherType'],
  'finish-refuses-expired': ['pendingNotFinished'],
  'finish-matches-by-like': ['fingerprintLoosely'],
  'finish-looks-then-updates': ['changedInBetween'],
  'finish-leaves-transaction-open': ['lockLeft'],
  // fetch
  'fetch-loses-falsy': ['falsyLost'],
  'fetch-answers-text': ['notParsed'],
  'fetch-pending-raises': ['nothingToParse'],
  'fetch-deletes-lazily': ['lazyDeletion'],
  'fetch-at-whole-seconds': ['boundaryOrFraction', 'nowRounded'],
  'fetch-matches-by-like': ['likeWildcards', 'caseFolded'],
  'fetch-from-cache': ['staleAnswer'],
  'fetch-slides-expiry': ['slidingExpiry'],
  'fetch-by-wall-clock': ['liveNotReplayed', 'boundaryOrClock', 'wallClock'],
  'fetch-leaves-transaction-open': ['lockLeft'],
  // expired
  'expired-strictly-before': ['boundaryDue'],
  'expired-pending-too': ['pendingListed'],
  'expired-by-rowid': ['insertionOrder', 'otherOrder'],
  'expired-by-instant': ['orderByExpiry', 'otherOrder'],
  'expired-ignoring-case': ['caseOrder', 'otherOrder'],
  'expired-default-of-11': ['defaultLimit'],
  'expired-one-too-many': ['limitOffByOne', 'defaultLimit', 'limitExceeded'],
  'expired-limits-before-filter': ['limitBeforeFilter'],
  'limit-clamped': ['limitAccepted', 'limitClamped'],
  'limit-may-be-true': ['limitBool'],
  'limit-may-be-text': ['limitConverted', 'limitBool', 'driverRefuses'],
  'limit-may-be-0': ['limitAccepted'],
  'limit-left-to-database': ['limitAccepted', 'limitBool', 'limitConverted', 'driverRefuses'],
  'expired-pages-on': [null], // the list is of its own kind: nothing says what the process remembers
  'expired-leaves-transaction-open': ['lockLeft'],
  // purge
  'purge-deletes-a-range': ['moreGone', 'rangeDeleted'],
  'purge-deletes-by-like': ['moreGone', 'deletedByLike'],
  'purge-answers-count': ['countInsteadOfList'],
  'purge-takes-all-due': ['limitNotInDelete'],
  'purge-default-of-11': ['defaultLimit'],
  'purge-unchecked-limit': ['limitAccepted', 'limitBool', 'limitConverted', 'driverRefuses'],
  'purge-selects-in-autocommit': ['purgeGap'],
  'purge-commits-half': ['halfDeleted'],
  'purge-without-rollback': ['lockLeft'],
  'purge-of-nothing-keeps-lock': ['transactionLeft', 'lockLeft'],
  'purge-sweeps-stale-pending': ['pendingGone'],
  // counts
  'counts-without-zero': ['zeroMissing'],
  'counts-remembered': ['staleAnswer'],
  'counts-leaves-transaction-open': ['lockLeft'],
  'counts-fingerprints': ['distinctCounted'],
  'counts-responses': ['pendingNotCounted'],
  'counts-up-to-100': ['countCapped'],
  // retention_cycle
  'cycle-answers-true': ['cycleLeavesNothing'],
  'cycle-reserves-only': ['cycleNotReserved'],
  'cycle-without-finish': ['cycleNotFinished'],
  'cycle-keeps-lock': ['lockLeft'],
  'cycle-finishes-with-true': ['cycleOtherResponse'],
  'cycle-second-as-first': ['cycleFirstMarks'],
};

const transfer: Readonly<Record<string, Said>> = {
  'no-unique-key': ['retryExecuted'],
  'key-is-the-fingerprint': ['bodyTakenForKey'],
  'debit-without-credit': ['debitOnly'],
  'transfer-without-balances': ['balancesUnmoved'],
  'transfer-row-reversed': ['transferRowReversed'],
  'transfer-row-left-out': ['transferRowMissing'],
  'retry-dies': ['integrityUncaught'],
  'unreadable-request-answered': ['unreadableAccepted'],
  'missing-file-only': ['unreadableOtherExit'],
  'fingerprint-not-compared': ['fingerprintNotCompared'],
  'mismatch-is-conflict': ['conflictFor422'],
  'fingerprint-in-the-key': ['otherBodyExecuted'],
  'mismatch-takes-the-key': ['mismatchTookKey'],
  'fingerprint-of-the-text': ['fingerprintUnsorted', 'fingerprintOfText'],
  'fingerprint-unsorted': ['fingerprintUnsorted', 'fingerprintOfText'],
  'claimed-as-completed': ['completedTooEarly'],
  'crash-before-claim': ['claimLost'],
  'crash-after-execution': ['crashMoved'],
  'crash-exits-with-zero': ['crashExitZero'],
  'in-progress-without-reason': ['reasonMissing'],
  'look-then-insert': ['bothExecuted'],
  'gives-up-when-locked': ['gaveUpLocked'],
  'money-in-autocommit': ['halfMoved'],
  'replay-balance-of-now': ['replayRecomputed'],
  'replay-time-of-now': ['replayTime'],
  'replay-with-200': ['replayStatus'],
  'replay-refused': ['replayRefused'],
  'replay-without-body': ['replayWithoutBody'],
  'replay-reordered': ['replayReordered'],
  'replay-of-the-last-transfer': ['replayOfOther'],
  'global-key': ['scopeWithoutClient', 'scopeWithoutEndpoint', 'scopeConfused'],
  'scope-without-endpoint': ['scopeWithoutEndpoint', 'scopeConfused'],
  'purge-in-milliseconds': ['cutoffUnit'],
  'purge-everything': ['cutoffIgnored'],
  'purge-only-counts': ['purgeOnlyCounts'],
  'purge-takes-transfers': ['transfersPurged'],
  'policy-hours-as-text': ['numberAsText'],
  'gen-retries-not-logged': ['retriesNotLogged'],
  'gen-seven-accounts': [null], // seven is not eight, and more is not to be seen
  'report-all-transfers-extra': ['firstCountedExtra'],
  'day-with-new-keys': ['dayBookedTwice'],
  'result-created-by-status': ['replayedAsCreated'],
  'report-heading-translated': ['headingOther'],
};

/** What they do wrong needs processes that begin anew, or are two. */
const onlyByProcesses = ['reserve-in-first-database', 'look-then-insert'];

/** What a submission with this mistake is told by the clause that must catch it. */
async function told(labId: string, id: string, seed: number, shrinkTime: number): Promise<FailureReport> {
  const lab = knownLab(labId);
  const mutant = loadMutants(mutantsFolder(labId)).find((each) => each.id === id);
  if (!mutant) throw new RangeError(`no mutant ${id}`);
  const inProcess = mutant.edits.typescript !== undefined && !onlyByProcesses.includes(id);
  const base = referenceBase(lab, inProcess ? 'typescript' : 'python');
  const [candidate] = fromData(lab, [mutant])(base);
  const folder = mkdtempSync(path.join(scratch.folder, 'mutant-'));
  const edited = candidate?.edited ?? {};
  const submission = writeSubmission(lab, base, edited, path.join(folder, 'submission'), python3);
  const interrupted = new AbortController().signal;
  const examiner = new Examiner({
    ...{
      lab,
      submission,
      edited: Object.keys(edited),
      inProcess,
      seed,
      confinement: plain,
      folder,
      interrupted,
    },
  });
  try {
    const runs = lab.kind === 'functions' ? 100 : 15;
    const { failure } = await examiner.ask(mutant.clause, { runs, shrinkTime });
    if (!failure) throw new Error(`${id} survives ${mutant.clause} on the seed ${seed}`);
    return failure;
  } finally {
    await examiner.close();
  }
}

describe('the hint of a mutant of idem-retention-lab', () => {
  const ids = loadMutants(mutantsFolder('idem-retention-lab')).map(({ id }) => id);

  test('is written down for every one of them', () => {
    expect(Object.keys(retention).sort()).toEqual([...ids].sort());
  });

  test.each(ids)('%s: the smallest case names the cause', async (id) => {
    const { hintKey, hint } = await told('idem-retention-lab', id, 1, ample);
    expect(hintKey).toBe(retention[id]?.[0]);
    if (hintKey) expect(hint).toBe(hints[hintKey as HintKey]);
  });

  test.each(ids)('%s: a case as it was drawn names no other cause', async (id) => {
    const { hintKey } = await told('idem-retention-lab', id, 2, 0);
    if (hintKey !== null) expect(retention[id]).toContain(hintKey);
  });
});

test.each(Object.entries(transfer))('the hint of %s of idem-transfer-lab', async (id, [key]) => {
  expect((await told('idem-transfer-lab', id, 1, id === 'gives-up-when-locked' ? 0 : ample)).hintKey).toBe(
    key,
  );
});

describe('evidence', () => {
  const failed = (seen: Value): FailedCase => {
    const of = { kind: 'execute' as const, database: 'a.db', statements: [] };
    return { trace: [of], reason: new Mismatch(of, seen, null) };
  };
  const busy = failed(new Opaque('SQLITE_BUSY', 'database is locked'));

  test('of nothing that is known gives no hint', () => {
    for (const { evidence } of labs) {
      const other = failed(new Opaque('SQLITE_FULL', ''));
      expect(causeOf(other, other, evidence)).toBeNull();
      expect(causeOf(busy, busy, evidence)).toBe('lockLeft');
    }
  });

  test('that cannot read a case gives no hint, and never throws', () => {
    const evidence: Evidence[] = [
      {
        hint: 'lockLeft',
        shows: () => {
          throw new TypeError();
        },
      },
    ];
    expect(causeOf(busy, busy, evidence)).toBeNull();
  });

  test('of a larger case decides between causes that the smallest one cannot tell apart', () => {
    const large = failed('large');
    const evidence: Evidence[] = [
      { hint: 'descending', shows: ({ reason }) => reason === large.reason },
      { hint: 'otherOrder', shows: () => true, covers: ['descending'] },
    ];
    expect(causeOf(busy, busy, evidence)).toBe('otherOrder');
    expect(causeOf(busy, large, evidence)).toBe('descending');
    expect(causeOf(busy, large, [{ hint: 'otherOrder', shows: () => true }])).toBe('otherOrder');
  });

  test('says each of its hints in every tongue, and each hint has evidence', () => {
    const used = labs.flatMap(({ evidence = [] }) => evidence.map(({ hint }) => hint));
    expect([...new Set(used)].sort()).toEqual(Object.keys(hints).sort());
    for (const tongue of tongues) {
      expect(Object.keys(catalogues[tongue].hints).sort()).toEqual(Object.keys(hints).sort());
      for (const hint of used)
        expect(textsOf(tongue).say('hints', hint)).toBe(catalogues[tongue].hints[hint]);
    }
  });
});
