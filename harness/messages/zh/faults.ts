import type { faults as english } from '../en/faults.ts';
import type { Translation } from '../texts.ts';

export const faults: Translation<typeof english> = {
  interrupted: '已中断',
  unfinished: '没有判定完',
  noPython: 'PATH 中没有 python3；请安装，或用 --interpreter 指定',
  full: '磁盘已满',
  noSandbox: '没有沙箱（bubblewrap：{{reason}}）；提交在单独的进程中运行，但无法防御攻击本机的提交',
};
