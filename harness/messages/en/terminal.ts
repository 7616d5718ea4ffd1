/** What a learner reads at a terminal. `_one` and `_other` are plural forms of a count. */
export const terminal = {
  passed: 'passed',
  failed: 'failed',
  undecided: 'undecided',
  skipped: 'skipped',
  cases_one: '{{count}} case',
  cases_other: '{{count}} cases',
};
