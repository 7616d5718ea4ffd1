/** Why something could not be judged, and what is missing on the machine. */
export const faults = {
  interrupted: 'interrupted',
  unfinished: 'not judged to the end',
  noPython: 'there is no python3 on PATH; install it, or name one by --interpreter',
  full: 'the disk is full',
  noSandbox:
    'no sandbox (bubblewrap: {{reason}}); submissions run in processes of their own, which is no defence against those that attack the machine',
};
