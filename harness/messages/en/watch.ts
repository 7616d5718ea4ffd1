/** What a learner reads while their submission is watched. */
export const watch = {
  watching: 'Watching {{place}}; Ctrl-C ends it.',
  changed: '{{time}}  changed: {{what}}',
  begins: '{{time}}  judging for the first time',
  allPassed_one: '{{count}} step passed in {{seconds}} s. Waiting for a save.',
  allPassed_other: 'All {{count}} steps passed in {{seconds}} s. Waiting for a save.',
  notAll: '{{passed}} of {{all}} steps passed in {{seconds}} s; not yet: {{steps}}. Waiting for a save.',
  notLoaded: 'The submission cannot be loaded, so no step was judged. Waiting for a save.',
  undecided: 'could not be judged: {{fault}}',
  ended: 'Ended.',
};
