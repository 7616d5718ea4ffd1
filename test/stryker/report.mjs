/*
 * What is to be thought of a report of Stryker's: data in, lines out. The report's schema is that of Mutation Testing
 * Elements.
 */

/** Files whose mutants all have to fare so, or no other result is believed. */
export const canaries = {
  'test/stryker/canary-dies.ts': 'Killed',
  'test/stryker/canary-lives.ts': 'Survived',
};

/** A mutant may also be found out by never coming to an end, but not by a machine that is busy. */
const endless = /^Hit limit reached/;

/** What Stryker says where a comment gives no reason. */
const unexplained = /^(Ignored using a comment)?$/;

/** What a test says whose clause could be neither kept nor broken. */
const undecided = /^undecided: /;

/**
 * One line for each thing that is not as it should be; none, and the score is 100 % of what is not disabled.
 *
 * @param report what Stryker wrote
 * @param {readonly string[]} references the files that have to be in it, with mutants
 * @returns {string[]}
 */
export function problemsOf(report, references) {
  const mutantsIn = (name) => report.files[name]?.mutants ?? [];
  const broken = Object.entries(canaries).flatMap(([name, status]) => {
    if (mutantsIn(name).length === 0)
      return [`${name}: the canary is not there; believe nothing of this run`];
    return mutantsIn(name)
      .filter((mutant) => mutant.status !== status)
      .map(
        (mutant) =>
          `${place(name, mutant)}: ${mutant.status}, not ${status}, and it is the canary: believe nothing of this run`,
      );
  });
  if (broken.length > 0) return broken;
  const missing = references
    .filter((name) => mutantsIn(name).length === 0)
    .map((name) => `${name}: no mutant was made of it; is it among "mutate" in stryker.conf.json?`);
  const faulty = Object.entries(withoutCanaries(report).files).flatMap(([name, { source, mutants }]) =>
    mutants.flatMap((mutant) => {
      const problem = problemOf(mutant);
      if (!problem) return [];
      return [`${place(name, mutant)}: ${mutant.mutatorName}, ${change(mutant, source)}: ${problem}`];
    }),
  );
  return [...missing, ...faulty];
}

/** The report without the canaries, as others may show it. */
export function withoutCanaries(report) {
  const files = Object.entries(report.files).filter(([name]) => !(name in canaries));
  return { ...report, files: Object.fromEntries(files) };
}

/** How many mutants there are of each status. */
export function tally(report) {
  const counts = {};
  for (const { mutants } of Object.values(report.files))
    for (const { status } of mutants) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function problemOf({ status, statusReason = '' }) {
  switch (status) {
    case 'Killed':
      return undecided.test(statusReason) ? `killed by no verdict: ${statusReason}` : undefined;
    case 'Timeout':
      return endless.test(statusReason) ? undefined : 'no test came to an end in time, which proves nothing';
    case 'Ignored':
      return unexplained.test(statusReason) ? 'disabled without a reason' : undefined;
    case 'NoCoverage':
      return 'no clause runs it';
    default:
      return status;
  }
}

function place(name, { location: { start } }) {
  return `${name}:${start.line}:${start.column}`;
}

function change({ location: { start, end }, replacement = '' }, source) {
  const line = source.split('\n')[start.line - 1] ?? '';
  const original = line.slice(start.column - 1, end.line === start.line ? end.column - 1 : undefined);
  return `${original} → ${replacement.split('\n')[0]}`;
}
