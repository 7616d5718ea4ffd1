import type { telling as english } from '../en/telling.ts';
import type { Translation } from '../texts.ts';

export const telling: Translation<typeof english> = {
  anything: '例外なしで返ること（値は問いません）',
  refusal: 'データベースドライバのものではない例外',
  or: 'または',
  otherConnection: '別の接続: {{sql}}',
  otherProcess: '{{call}}（別のプロセスから）',
  waits: '{{call}} を呼び出し、ロックを待っている',
  noAnswer: '（応答なし）',
  noEnd: '（終わらない）',
  leftOut: '{{start}} …（{{left}} 文字省略）… {{end}}',
  rowIn: '{{row}}（{{database}}）',
  lookAt: '{{what}} を調べる',
  sameMoment: '{{command}}（もう一方と同時に）',
  exitCode: '終了コード {{code}}',

  'expected.crash': 'プロセスが途中で終わらないこと',
  'expected.timeout': '応答が返ること',
  'expected.budget': 'ステップの制限時間内に十分な数のケースが終わること',
  'expected.missing': 'ラボの本文どおりの名前の関数またはファイル',
  'expected.load': '読み込める提出物',
  'expected.memory': '使えるメモリの範囲で済む呼び出し',
  'expected.processes': '起動できるプロセスとスレッドの数で済む呼び出し',
  'expected.output': '答えだけを出力し、余計なものをほとんど出さないスクリプト',
  'expected.disk': '使えるディスク容量で済む呼び出し',

  'hint.crash': '呼び出しは、値か例外のどちらかで必ず戻る必要があります',
  'hint.timeout': '終わらないループや、解放されないロックを待っている箇所を探しましょう',
  'hint.budget': 'どのケースにも時間がかかっています。sleep や、呼び出すたびに増える処理を探しましょう',
  'hint.missing': '関数名とファイル名はラボの本文どおりでなければなりません',
  'hint.load': 'そのファイルを単独で実行してみましょう',
  'hint.memory': 'ループのたびに増えるものや、まるごと読み込んでいるものを探しましょう',
  'hint.processes': '何度も起動されるプロセスやスレッドを探しましょう',
  'hint.output': '出力を続けるループや、デバッグ用に残した出力を探しましょう',
  'hint.disk': '呼び出すたびに大きくなるファイルを探しましょう',

  tooFewCases: '{{cases}} ケース（最低 {{minimum}} ケース必要）',
  noEntry: 'フォルダーにそのファイルがありません',
  linkOut: '{{file}} はフォルダーの外を指すリンクです',
};
