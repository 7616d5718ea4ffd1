import type { worksheet as english } from '../en/worksheet.ts';
import type { Translation } from '../texts.ts';

export const worksheet: Translation<typeof english> = {
  step: 'ステップ {{step}}  {{title}}',
  contract: '契約',
  change: '変更',
  question: 'どの入力、どの例外、あるいはテーブルのどの状態を見れば、違いが分かるでしょうか。',
  pressEnter: '予想を書き留めてから Enter を押してください:',
  howToReveal: '--reveal を付けると答えが表示されます。',
  state: '実行後の状態',
  why: '理由',
  unnoticed_other:
    '{{count}} ケースでは違いが出ませんでした。このコードでは、この変更は何も壊さないのかもしれません',
  notInYours: '参照実装で示します。あなたのコードには、この変更に当てはまる箇所が一つに決まりません。',
  notInLanguage: '参照実装で示します。この変更には {{language}} 版がありません。',
  yoursFails: '参照実装で示します。あなたのコードはまだステップ {{step}} に合格していません。',
  noSandbox: 'このステップではスクリプトを実行し直すため、bubblewrap が必要です',
};
