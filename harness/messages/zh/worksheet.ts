import type { worksheet as english } from '../en/worksheet.ts';
import type { Translation } from '../texts.ts';

export const worksheet: Translation<typeof english> = {
  step: '第 {{step}} 步  {{title}}',
  contract: '契约',
  change: '改动',
  question: '什么输入、什么异常、表的什么状态能显出差别？',
  pressEnter: '先写下你的猜测，再按 Enter：',
  howToReveal: '加上 --reveal 会显示答案。',
  state: '执行后的状态',
  why: '原因',
  unnoticed_other: '{{count}} 个用例没有显出差别：在这份代码里，这个改动可能没有破坏什么',
  notInYours: '用参考实现演示：在你的代码里找不到（或不止一处）可以做这个改动的位置。',
  notInLanguage: '用参考实现演示：这个改动没有 {{language}} 版本。',
  yoursFails: '用参考实现演示：你的代码还没有通过第 {{step}} 步。',
  noSandbox: '这一步会重新运行脚本，需要 bubblewrap',
};
