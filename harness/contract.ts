import type { Arbitrary } from 'fast-check';
import type { Bench } from './bench.ts';
import type { Evidence } from './evidence.ts';
import { seen } from './expectation.ts';
import type { LabExplained } from './explanation.ts';
import type { Tongue } from './messages/texts.ts';
import type { Life } from './report/life.ts';
import type { Outcome } from './subject/subject.ts';
import { same, type Value } from './value.ts';

/** A lab as data: what is submitted, and what each of its steps asks. `Context` is what its clauses work with. */
export interface Lab<Context = unknown, Prepared = unknown> {
  readonly id: string;
  readonly title: string;
  /** A module whose functions are called, or a folder of scripts that are run by their command lines. */
  readonly kind: 'functions' | 'scripts';
  /** The name of the entry file, without its extension; JavaScript may write its `_` as `-`. */
  readonly entry: string;
  /** Where a learner's submission lies. */
  readonly home: string;
  /** Seconds that one step may take. */
  readonly budget: number;
  readonly steps: readonly Step<Context>[];
  /** By the numbers of steps that judge files: the script that makes them. */
  readonly products?: Readonly<Record<number, Product>>;
  /** What a key goes through, where a table of the contract says so. */
  readonly life?: Life;
  /** What learners read in other tongues. Without it they read English. */
  readonly messages?: Readonly<Partial<Record<Tongue, LabMessages>>>;
  /** Signs of causes, the most specific first: what a failing case may say beyond the hint of its clause. */
  readonly evidence?: readonly Evidence[];
  /** Why its clauses exist; loaded once it is asked for. */
  readonly explain?: () => Promise<LabExplained>;
  /** Made once a run, before any case. */
  prepare(bench: Bench): Promise<Prepared>;
  /** What one case works with. */
  open(bench: Bench, prepared: Prepared): Context;
}

/** What a learner reads of a lab in another tongue than English. */
export interface LabMessages {
  readonly title: string;
  /** By the numbers of steps. */
  readonly steps: Readonly<Record<number, string>>;
  /** By the ids of clauses; a hint where the clause has one. */
  readonly clauses: Readonly<Record<string, { readonly statement: string; readonly hint?: string }>>;
  /** Why a change is wrong that the worksheet asks about, by the ids of mutants. */
  readonly mutants?: Readonly<Record<string, string>>;
}

/** What a script of a submission makes: it is run anew, and judged by that. */
export interface Product {
  readonly script: string;
  readonly makes: readonly string[];
}

export interface Step<Context> {
  readonly number: number;
  readonly title: string;
  readonly clauses: readonly Clause<Context>[];
}

/** A sentence of the contract, and how it is put to the test. */
export interface Clause<Context> {
  /** `4.1`: never used again for another sentence. */
  readonly id: string;
  readonly statement: string;
  /** What is drawn for a case, by name. */
  readonly arbitraries: Readonly<Record<string, Arbitrary<unknown>>>;
  /** Resolves where the subject kept the clause; throws a {@link Mismatch} where it did not. */
  readonly predicate: (context: Context, drawn: never) => Promise<void>;
  readonly options: ClauseOptions;
}

export interface ClauseOptions {
  /** A question that leads a learner to the reason. Never the solution. */
  readonly hint?: string;
  /** Cases of a run that asks for no number. */
  readonly cases?: number;
  /** Cases without which a clause is not passed, however slow the submission. */
  readonly minimum?: number;
  /** No other case may be under way in the same processes. */
  readonly exclusive?: boolean;
}

/** Cases of a clause, and those it cannot do without. */
export const defaultCases = 100;
export const defaultMinimum = 5;

/** For clauses that hold a lock, whose cases are mostly waiting, and watch the process that waits for it. */
export const heldCases = { cases: 15, minimum: 1, exclusive: true };

type Body<Context> = Omit<Clause<Context>, 'id' | 'statement'>;

/** A step whose clauses stand under `'<id> <statement>'`. Throws a TypeError on an id that is not the step's. */
export function step<Context>(
  number: number,
  title: string,
  clauses: Readonly<Record<string, Body<Context>>>,
): Step<Context> {
  return {
    number,
    title,
    clauses: Object.entries(clauses).map(([heading, body]) => {
      const [, id, statement] = /^(\d+\.\d+) (.+)$/.exec(heading) ?? [];
      if (!id || !statement || !id.startsWith(`${number}.`))
        throw new TypeError(`a clause named '${heading}'`);
      return { id, statement, ...body };
    }),
  };
}

export function clause<Context, Drawn extends Record<string, unknown>>(
  arbitraries: { readonly [Name in keyof Drawn]: Arbitrary<Drawn[Name]> },
  predicate: (context: Context, drawn: Drawn) => Promise<void>,
  options: ClauseOptions = {},
): Body<Context> {
  return { arbitraries, predicate, options };
}

/** What was seen is not what the contract says. */
export class Mismatch extends Error {
  /** The outcome of a call, or the event of {@link Bench.trace}, that was looked at. */
  readonly of: object;
  readonly seen: Value;
  readonly expected: Value;
  /** Where a call's result and the rows after it were looked at together: how the rows were read. */
  readonly rowsBy: string | undefined;
  constructor(of: object, seen: Value, expected: Value, rowsBy?: string) {
    super('not as the contract says');
    this.of = of;
    this.seen = seen;
    this.expected = expected;
    this.rowsBy = rowsBy;
  }
}

/** Throws a {@link Mismatch} unless the call returned the value, types included. */
export function expectSame(outcome: Outcome, expected: Value): void {
  if (!same(seen(outcome), expected)) throw new Mismatch(outcome, seen(outcome), expected);
}
