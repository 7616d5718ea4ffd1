import type { Bench } from '../../harness/bench.ts';

/** What the clauses of this lab work with. */
export interface Context {
  readonly bench: Bench;
}

/** A case is several commands, each a process: fewer cases than where a case is a call. */
export const commandCases = { cases: 15, minimum: 2 };
