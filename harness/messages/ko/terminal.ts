import type { terminal as english } from '../en/terminal.ts';
import type { Translation } from '../texts.ts';

export const terminal: Translation<typeof english> = {
  passed: '통과',
  failed: '실패',
  undecided: '판정 불가',
  skipped: '건너뜀',
  cases_other: '사례 {{count}}개',
};
