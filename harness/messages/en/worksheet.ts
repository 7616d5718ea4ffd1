/** Wrong fragments, and what they would change. */
export const worksheet = {
  step: 'Step {{step}}  {{title}}',
  contract: 'the contract',
  change: 'a change',
  question: 'Which input, which exception or which state of the table would show the difference?',
  pressEnter: 'Write down your guess, and press Enter:',
  howToReveal: 'With --reveal the answers are shown.',
  state: 'the state after it',
  why: 'why',
  unnoticed_one: '{{count}} case shows no difference: in this code the change may break nothing',
  unnoticed_other: '{{count}} cases show no difference: in this code the change may break nothing',
  notInYours: 'Shown in the reference: your code has no place, or more than one, for this change.',
  notInLanguage: 'Shown in the reference: the change is not written in {{language}}.',
  yoursFails: 'Shown in the reference: your code does not pass step {{step}} yet.',
  noSandbox: 'this step runs scripts anew, which needs bubblewrap',
};
