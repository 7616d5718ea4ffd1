import type { watch as english } from '../en/watch.ts';
import type { Translation } from '../texts.ts';

export const watch: Translation<typeof english> = {
  watching: '正在监视 {{place}}，按 Ctrl-C 结束。',
  changed: '{{time}}  已修改：{{what}}',
  begins: '{{time}}  开始第一次评测',
  allPassed_other: '{{count}} 个步骤全部通过（{{seconds}} 秒）。等待下一次保存。',
  notAll: '{{all}} 个步骤中已通过 {{passed}} 个（{{seconds}} 秒），尚未通过：{{steps}}。等待下一次保存。',
  notLoaded: '提交的代码无法加载，因此没有评测任何步骤。等待下一次保存。',
  undecided: '无法判定：{{fault}}',
  ended: '已结束。',
};
