import { unfit } from '../mutation/fate.ts';
import type { MatrixCell, MutantResult } from '../mutation/validation.ts';

/** What a cell says at a glance: the letter tells as much as the colour. */
export const marks = {
  killed: 'K',
  survived: 'S',
  elsewhere: 'E',
  crash: 'C',
  timeout: 'T',
  stillborn: 'L',
  undecided: '?',
  passed: '·',
  skipped: '',
} as const;

export type Mark = keyof typeof marks;

/** What a mutant's cell says. Steps before its own must not mind; what steps after it say is of no account. */
export function markOf({ step, status }: MutantResult, cell: MatrixCell): Mark {
  if (cell.verdict === 'failed') {
    return failedMark(cell, status === 'killed elsewhere' || cell.step < (step ?? cell.step));
  }
  if (cell.verdict === 'passed' && cell.step === step && status !== 'equivalent') return 'survived';
  return cell.verdict;
}

function failedMark({ failures }: MatrixCell, elsewhere: boolean): Mark {
  for (const { report } of failures) if (report.kind !== 'contract') return unfit[report.kind];
  return elsewhere ? 'elsewhere' : 'killed';
}
