import type { ends as english } from '../en/ends.ts';
import type { Translation } from '../texts.ts';

export const ends: Translation<typeof english> = {
  noFunction: '함수가 없습니다: {{name}}',
  noScript: '스크립트가 없습니다: {{name}}',
  noFile: '파일이 없습니다: {{name}}',
  noAnswerIn: '{{seconds}}초 안에 응답이 없었습니다',
  notEndedIn: '{{seconds}}초 안에 끝나지 않았습니다',
  processorTime: '프로세스가 쓸 수 있는 프로세서 시간을 다 썼습니다',
  exited: '프로세스가 종료 코드 {{code}}(으)로 끝났습니다',
  killedBy: '프로세스가 시그널 {{signal}}(으)로 강제 종료되었습니다',
  killed: '프로세스가 강제 종료되었습니다',
  channelClosed: '프로세스가 채점기와의 통신 채널을 닫았습니다',
  memoryOver: '메모리가 {{mebi}} MiB를 넘었습니다',
  processesOver: '프로세스가 {{number}}개를 넘었습니다',
  threadsOver: '스레드가 {{number}}개를 넘었습니다',
  bytesOver: '파일의 합계가 {{mebi}} MiB를 넘었습니다',
  filesOver: '파일이 {{number}}개를 넘었습니다',
  diskFull: '디스크가 가득 찼습니다. 제출물의 파일 때문입니다',
  printedOver: '출력이 {{mebi}} MiB를 넘었습니다',
  endlessSchema: '트리거, 뷰 또는 제약 때문에 SQLite의 작업이 끝나지 않습니다',
  hungrySchema: '트리거, 뷰 또는 제약이 메모리를 모두 씁니다',
  notJson: '{{file}}을(를) JSON으로 읽을 수 없습니다: {{reason}}',
  notInt: '{{file}}: {{table}}의 {{row}}번째 행에서 {{column}}이(가) 정수가 아닙니다',
  notObject: '{{file}}: {{table}}의 {{row}}번째 행에서 {{column}}이(가) JSON 객체가 아닙니다',
  databaseGone: '데이터베이스를 더는 사용할 수 없습니다: {{message}}',
  sent: '프로세스가 잘못된 응답을 보냈습니다: {{what}}',
};
