import { isDict, Special, type Value } from 'idem-lab-checks/contract';

/** A command that ends with 0 and prints this word. */
export class Says extends Special {
  readonly word: string;
  constructor(word: string) {
    super();
    this.word = word;
  }

  meets(seen: Value): boolean {
    return isDict(seen) && seen.get('exit') === 0n && String(seen.get('stdout')).trim() === this.word;
  }

  source(): string {
    return `exit code 0, and on standard output: ${this.word}`;
  }
}
