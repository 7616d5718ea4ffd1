import type { Tongue } from './messages/texts.ts';

/** Why a clause exists, and what it does not promise. */
export interface Explanation {
  /** What goes wrong in real systems without it. */
  readonly why: string;
  readonly limits: string;
}

/** A document that bears a clause out. */
export interface Source {
  readonly title: string;
  readonly url: string;
}

/** What there is to say of a lab's clauses, by their ids. */
export interface LabExplained {
  readonly explanations: Readonly<Record<Tongue, Readonly<Record<string, Explanation>>>>;
  /** Beside the lab's own text. */
  readonly sources: Readonly<Record<string, readonly Source[]>>;
}
