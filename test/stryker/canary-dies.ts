/** Of no use but to be mutated: every mutant has to be reported as killed. */
export function answered(question: number): string {
  return question > 41 ? 'yes' : 'no';
}
