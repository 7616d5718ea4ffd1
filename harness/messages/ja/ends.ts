import type { ends as english } from '../en/ends.ts';
import type { Translation } from '../texts.ts';

export const ends: Translation<typeof english> = {
  noFunction: '関数 {{name}} がありません',
  noScript: 'スクリプト {{name}} がありません',
  noFile: 'ファイル {{name}} がありません',
  noAnswerIn: '{{seconds}} 秒たっても応答がありません',
  notEndedIn: '{{seconds}} 秒たっても終わりません',
  processorTime: 'プロセスが使えるプロセッサ時間を使い切りました',
  exited: 'プロセスが終了コード {{code}} で終了しました',
  killedBy: 'プロセスがシグナル {{signal}} で強制終了されました',
  killed: 'プロセスが強制終了されました',
  channelClosed: 'プロセスが採点側との通信路を閉じました',
  memoryOver: 'メモリが {{mebi}} MiB を超えました',
  processesOver: 'プロセスが {{number}} 個を超えました',
  threadsOver: 'スレッドが {{number}} 個を超えました',
  bytesOver: 'ファイルの合計が {{mebi}} MiB を超えました',
  filesOver: 'ファイルが {{number}} 個を超えました',
  diskFull: 'ディスクがいっぱいです。提出物のファイルが原因です',
  printedOver: '出力が {{mebi}} MiB を超えました',
  endlessSchema: 'トリガー、ビュー、制約のいずれかのために SQLite の処理が終わりません',
  hungrySchema: 'トリガー、ビュー、制約のいずれかがメモリを使い果たします',
  notJson: '{{file}} は JSON として読めません: {{reason}}',
  notInt: '{{file}}: {{table}} の {{row}} 行目の {{column}} が整数ではありません',
  notObject: '{{file}}: {{table}} の {{row}} 行目の {{column}} が JSON オブジェクトではありません',
  databaseGone: 'データベースが使えなくなりました: {{message}}',
  sent: 'プロセスから不正な応答が届きました: {{what}}',
};
