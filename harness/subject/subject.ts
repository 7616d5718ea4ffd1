import type { Language } from '../literal.ts';
import type { Value } from '../value.ts';

/** One call of a submission's function. Processes are numbered from 0; a case starts with fresh ones. */
export interface Call {
  readonly process: number;
  readonly name: string;
  readonly args: readonly Value[];
}

/** An exception as its own language names it. `code` is SQLite's primary result code where the driver gave one. */
export interface Raised {
  readonly type: string;
  readonly bases: readonly string[];
  readonly message: string;
  readonly code: number | null;
  /** Where in the submission, as `file:line`. */
  readonly at: string | null;
}

/** What a call did: its value, or the exception followed by those it was raised from. */
export type Outcome =
  | { readonly status: 'returned'; readonly value: Value }
  | { readonly status: 'raised'; readonly chain: readonly [Raised, ...Raised[]] };

/** Statements that the grader runs on its own connection, holding the write lock of `database`. */
export interface Held {
  readonly database: string;
  readonly statements: readonly Statement[];
}

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly Value[];
}

/** What is under test, behind one interface whatever its language. */
export interface Subject {
  readonly language: Language;
  /** How many processes a case may use. */
  readonly processes: number;
  /** How many sessions may be open at once. */
  readonly sessions: number;
  /** The files of a submission of scripts, by the names that calls have for them. */
  readonly scripts?: Readonly<Record<string, string>>;
  /** Where a submission of scripts lies, with the files that they made. */
  readonly folder?: string;
  /** JavaScript has one: there 1 and 1.0 are the same value. */
  readonly numberTypes: 1 | 2;

  /**
   * Begins a case: every process has the submission loaded anew for it. With `alone` the processes themselves are
   * new, too, and no other session is open; without, they may serve the modules of other cases in turn.
   */
  begin(alone: boolean): Session;

  /** Between clauses: ends what the submission has started and left running. */
  tidy(): Promise<void>;

  close(): Promise<void>;
}

/** What one case asks of a subject. */
export interface Session {
  /** Throws a {@link SubjectFailure} where there is no outcome, within `limit` milliseconds. */
  call(call: Call, limit: number): Promise<Outcome>;

  /**
   * The calls, of different processes, started while the grader holds the write lock, and known to wait for it (or
   * to have ended) before `held.statements` are run and committed. Throws {@link Inconclusive} where the commit
   * found no way. `patience` (0, 1, …) lengthens the wait.
   */
  callWhileHeld(calls: readonly Call[], held: Held, patience: number, limit: number): Promise<Outcome[]>;

  /** The case is over: its modules may go. */
  end(): void;
}

/** Opens the subject once more, with processes of its own. */
export type OpenSubject = () => Subject;

/** The last four: a limit was broken, for which the submission was ended. */
export type SubjectFailureKind =
  | 'crash'
  | 'timeout'
  | 'missing'
  | 'load'
  | 'memory'
  | 'processes'
  | 'output'
  | 'disk';

/** The submission gave no outcome. `detail` says what was seen. */
export class SubjectFailure extends Error {
  readonly kind: SubjectFailureKind;
  readonly detail: string;
  constructor(kind: SubjectFailureKind, detail: string) {
    super(`${kind}: ${detail}`);
    this.kind = kind;
    this.detail = detail;
  }
}

/** The case proves nothing, for or against: it is not counted. */
export class Inconclusive extends Error {}

/** The grader could not do its own work. Never the submission's fault. */
export class GraderFault extends Error {}
