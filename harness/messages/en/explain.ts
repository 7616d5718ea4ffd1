/** What `labcheck explain` says around the texts of a lab. */
export const explain = {
  why: 'why it is asked',
  limits: 'what it leaves open',
  sources: 'sources',
  labText: "the lab's text, step {{step}}",
  step: 'Step {{step}}  {{title}}',
};
