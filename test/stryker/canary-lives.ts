/** Of no use but to be mutated: its tests look at nothing, so every mutant has to be reported as survived. */
export function ignored(question: number): string {
  return question > 41 ? 'yes' : 'no';
}
