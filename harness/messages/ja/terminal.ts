import type { terminal as english } from '../en/terminal.ts';
import type { Translation } from '../texts.ts';

export const terminal: Translation<typeof english> = {
  passed: '合格',
  failed: '不合格',
  undecided: '判定できず',
  skipped: '未実行',
  cases_other: '{{count}} 件',
};
