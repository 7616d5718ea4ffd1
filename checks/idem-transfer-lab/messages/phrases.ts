import type { InEveryTongue, Texts, Values } from '../../../harness/messages/texts.ts';

/** What terms of this lab are called. */
export const phrases = {
  not: {
    en: 'anything but {{other}}',
    ja: '次のもの以外: {{other}}',
    ko: '다음 이외: {{other}}',
    zh: '除此以外：{{other}}',
  },
  otherExit: {
    en: 'an exit code other than 0',
    ja: '0 以外の終了コード',
    ko: '0이 아닌 종료 코드',
    zh: '非 0 的退出码',
  },
  exit: {
    en: 'exit code {{code}}',
    ja: '終了コード {{code}}',
    ko: '종료 코드 {{code}}',
    zh: '退出码 {{code}}',
  },
  printed: {
    en: 'exit code 0, and on standard output {{what}}',
    ja: '終了コード 0 で、標準出力は {{what}}',
    ko: '종료 코드 0, 그리고 표준 출력에 {{what}}',
    zh: '退出码 0，标准输出为 {{what}}',
  },
  reply: {
    en: 'exit code 0, and on standard output one response with {{what}}',
    ja: '終了コード 0 で、標準出力には次の応答が一つ: {{what}}',
    ko: '종료 코드 0, 그리고 표준 출력에 다음 응답 하나: {{what}}',
    zh: '退出码 0，标准输出上有一个响应：{{what}}',
  },
  executed: {
    en: 'status 201, replay false and a body with a transfer_id',
    ja: 'status 201、replay false、本文に transfer_id',
    ko: 'status 201, replay false, 본문에 transfer_id',
    zh: 'status 201、replay false，正文带 transfer_id',
  },
  notAgain: {
    en: 'replay true or status 409',
    ja: 'replay true または status 409',
    ko: 'replay true 또는 status 409',
    zh: 'replay true 或 status 409',
  },
  otherBody: { en: 'status 422', ja: 'status 422', ko: 'status 422', zh: 'status 422' },
  inProgress: {
    en: "status 409 and reason 'in_progress'",
    ja: "status 409 と reason 'in_progress'",
    ko: "status 409와 reason 'in_progress'",
    zh: "status 409 和 reason 'in_progress'",
  },
  replayOf: {
    en: 'status {{status}}, replay true and the body as first sent: {{body}}',
    ja: 'status {{status}}、replay true、最初に送った本文: {{body}}',
    ko: 'status {{status}}, replay true, 처음 보낸 본문: {{body}}',
    zh: 'status {{status}}、replay true，正文与最初发送的相同：{{body}}',
  },
  purged: {
    en: '{"purged": {{count}}}',
    ja: '{"purged": {{count}}}',
    ko: '{"purged": {{count}}}',
    zh: '{"purged": {{count}}}',
  },
  range: {
    en: '{{least}} to {{most}}',
    ja: '{{least}}〜{{most}}',
    ko: '{{least}}~{{most}}',
    zh: '{{least}} 到 {{most}}',
  },
  holding: {
    en: 'a list with {{rows}}',
    ja: '次を含むリスト: {{rows}}',
    ko: '다음을 포함하는 리스트: {{rows}}',
    zh: '包含以下内容的列表：{{rows}}',
  },
  atLeast: {
    en: 'at least {{members}}',
    ja: '少なくとも {{members}}',
    ko: '적어도 {{members}}',
    zh: '至少有 {{members}}',
  },
  anyOrder: {
    en: 'in any order {{items}}',
    ja: '順不同で {{items}}',
    ko: '순서와 상관없이 {{items}}',
    zh: '顺序不限：{{items}}',
  },
  rowsOf: {
    en: '{{file}}: rows of {{table}}',
    ja: '{{file}}: {{table}} の行数',
    ko: '{{file}}: {{table}}의 행 수',
    zh: '{{file}}：{{table}} 的行数',
  },
  differentIn: {
    en: '{{file}}: different {{column}} in {{table}}',
    ja: '{{file}}: {{table}} にある {{column}} の種類の数',
    ko: '{{file}}: {{table}}에 있는 서로 다른 {{column}}의 수',
    zh: '{{file}}：{{table}} 中不同 {{column}} 的个数',
  },
  columnsOf: {
    en: '{{file}}: {{columns}} of {{table}}',
    ja: '{{file}}: {{table}} の {{columns}}',
    ko: '{{file}}: {{table}}의 {{columns}}',
    zh: '{{file}}：{{table}} 的 {{columns}}',
  },
  sections: {
    en: '{{file}}: sections with text',
    ja: '{{file}}: 本文のある節',
    ko: '{{file}}: 본문이 있는 절',
    zh: '{{file}}：有正文的小节',
  },
  amountAvoided: {
    en: '{{file}}: the amount avoided',
    ja: '{{file}}: 防いだ金額',
    ko: '{{file}}: 막은 금액',
    zh: '{{file}}：避免的金额',
  },
  anInt: { en: 'an int', ja: 'int', ko: 'int', zh: '一个 int' },
} satisfies Record<string, InEveryTongue>;

/** A phrase with its values, in the words of whoever reads. */
export function said(phrase: InEveryTongue, values: Values): (texts: Texts) => string {
  return (texts) => texts.phrase(phrase, values);
}
