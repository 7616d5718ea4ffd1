import type { faults as english } from '../en/faults.ts';
import type { Translation } from '../texts.ts';

export const faults: Translation<typeof english> = {
  interrupted: '中断されました',
  unfinished: '最後まで判定していません',
  noPython: 'PATH に python3 がありません。インストールするか、--interpreter で指定してください',
  full: 'ディスクの空きがありません',
  noSandbox:
    'サンドボックスがありません（bubblewrap: {{reason}}）。提出物は別のプロセスで動きますが、マシンを攻撃するものへの備えにはなりません',
};
