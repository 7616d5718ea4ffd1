import type { watch as english } from '../en/watch.ts';
import type { Translation } from '../texts.ts';

export const watch: Translation<typeof english> = {
  watching: '{{place}} を監視しています。Ctrl-C で終了します。',
  changed: '{{time}}  変更: {{what}}',
  begins: '{{time}}  最初の採点を始めます',
  allPassed_other: '全 {{count}} ステップに合格しました（{{seconds}} 秒）。次の保存を待っています。',
  notAll:
    '{{all}} ステップ中 {{passed}} ステップに合格しました（{{seconds}} 秒）。まだのステップ: {{steps}}。次の保存を待っています。',
  notLoaded: '提出ファイルを読み込めないため、どのステップも採点していません。次の保存を待っています。',
  undecided: '判定できませんでした: {{fault}}',
  ended: '終了しました。',
};
