/** How a failing case is told. */
export const telling = {
  anything: 'any value, and no exception',
  refusal: "an exception, and not one of the database driver's",
  or: 'or',
  otherConnection: 'another connection: {{sql}}',
  otherProcess: '{{call}}, in another process',
  waits: '{{call}} is called, and waits for the lock',
  noAnswer: '(no answer)',
  noEnd: '(no end)',
  leftOut: '{{start}} … {{left}} characters … {{end}}',
  rowIn: '{{row}} in {{database}}',
  lookAt: 'look at {{what}}',
  sameMoment: '{{command}}, at the same moment as the other',
  exitCode: 'exit code {{code}}',

  // What a clause that gave no outcome was expected to do.
  'expected.crash': 'a process that goes on',
  'expected.timeout': 'an answer',
  'expected.budget': 'enough cases within the time of a step',
  'expected.missing': 'the function or the file under its name of the lab text',
  'expected.load': 'a submission that can be loaded',
  'expected.memory': 'a call that does with the memory it may take',
  'expected.processes': 'a call that does with the processes and threads it may start',
  'expected.output': 'a script that prints its answer, and little else',
  'expected.disk': 'a call that does with the room it may take on disk',

  // What leads on, where the clause itself has nothing to say.
  'hint.crash': 'a call must come back, by a value or an exception',
  'hint.timeout': 'look for a loop that does not end, or a lock that is waited for and never freed',
  'hint.budget': 'every case takes long: look for sleeps, and for work that grows with each call',
  'hint.missing': 'the name and the file must be those of the lab text',
  'hint.load': 'run the file by itself',
  'hint.memory': 'look for what grows with every turn of a loop, and for what is read as a whole',
  'hint.processes': 'look for processes and threads that are started again and again',
  'hint.output': 'look for a loop that prints, and for what was printed to find an error',
  'hint.disk': 'look for files that grow with every call',

  tooFewCases: '{{cases}} of at least {{minimum}} cases',
  noEntry: 'no such file in the folder',
  linkOut: '{{file}} is a link to what does not lie in the folder',
};
