import type { terminal as english } from '../en/terminal.ts';
import type { Translation } from '../texts.ts';

export const terminal: Translation<typeof english> = {
  passed: '通过',
  failed: '未通过',
  undecided: '无法判定',
  skipped: '未运行',
  cases_other: '{{count}} 个用例',
};
