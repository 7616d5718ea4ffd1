import type { AnyLab } from '../registry.ts';
import type { Report, Verdict } from './report.ts';

/** One submission of a class. */
export interface ClassEntry {
  readonly name: string;
  readonly report: Report;
}

/** A submission whose verdict is another than it was. */
export interface Change {
  readonly name: string;
  readonly from: Verdict | 'absent';
  readonly to: Verdict | 'absent';
  readonly steps: readonly {
    readonly step: number;
    readonly from: Verdict | 'absent';
    readonly to: Verdict | 'absent';
    /** Ids of its clauses whose verdicts are others. */
    readonly clauses: readonly string[];
  }[];
  /** What is no longer the same. */
  readonly because: readonly ('submission' | 'checks' | 'options' | 'unknown')[];
}

export interface ClassOptions {
  readonly lab: AnyLab;
  readonly when: Date;
  /** Of this tool. */
  readonly version: string;
  /** Against an earlier run, where there is one. */
  readonly changes?: readonly Change[];
}
