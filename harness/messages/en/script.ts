/** What the script says that shows a failure without the grader: comments, and the line that it ends with. */
export const script = {
  title: '{{lab}}, clause {{id}}: {{statement}}.',
  exits: 'Exits with 1 as long as this happens, with 0 once it is mended.',
  ends: 'Does not get to its last line as long as this happens.',
  allBack: 'every call came back',
  node: 'Run it with Node; TypeScript needs Node 22.18.',
  secondProcess: 'A second process, started before anything opens the database.',
  ownConnection: "another connection than the submission's",
  waiting: 'the call has begun, and waits for the lock',
  json: 'a text that is JSON of this value',
  oneOf: 'one of these',
  through: 'a list that has these in this order',
  same: '== takes True for 1, and 1 for 1.0',
  elsewhere: 'the grader called it in another process',
  held: 'The grader held the write lock in another process, called, and committed these while the call waited:',
  rows: 'rows',
};
