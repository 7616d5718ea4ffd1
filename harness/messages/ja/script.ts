import type { script as english } from '../en/script.ts';
import type { Translation } from '../texts.ts';

export const script: Translation<typeof english> = {
  title: '{{lab}} 条項 {{id}}: {{statement}}',
  exits: 'この問題が起きるあいだは終了コード 1、直れば 0 で終わります。',
  ends: 'この問題が起きるあいだは最後の行まで進みません。',
  allBack: 'すべての呼び出しが戻りました',
  node: 'Node で実行します。TypeScript の場合は Node 22.18 以降が必要です。',
  secondProcess: 'もう一つのプロセス。データベースが開かれる前に起動しておく。',
  ownConnection: '提出物とは別の接続',
  waiting: '呼び出しが始まり、ロックを待っている',
  json: 'この値を表す JSON のテキスト',
  oneOf: 'このうちのどれか一つ',
  through: 'これらをこの順に含むリスト',
  same: '== は True と 1、1 と 1.0 を等しいとみなす',
  elsewhere: '採点時は別のプロセスから呼び出した',
  held: '採点時は別のプロセスで書き込みロックを取ってから呼び出し、待っているあいだに次の文をコミットした:',
  rows: '行',
};
