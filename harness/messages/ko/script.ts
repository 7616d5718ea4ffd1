import type { script as english } from '../en/script.ts';
import type { Translation } from '../texts.ts';

export const script: Translation<typeof english> = {
  title: '{{lab}} 조항 {{id}}: {{statement}}',
  exits: '문제가 남아 있으면 종료 코드 1, 고쳐지면 0으로 끝납니다.',
  ends: '문제가 남아 있으면 마지막 줄까지 가지 못합니다.',
  allBack: '모든 호출이 돌아왔습니다',
  node: 'Node로 실행합니다. TypeScript라면 Node 22.18 이상이 필요합니다.',
  secondProcess: '두 번째 프로세스. 데이터베이스를 열기 전에 시작해 둔다.',
  ownConnection: '제출물과는 다른 연결',
  waiting: '호출이 시작되어 잠금을 기다리는 중',
  json: '이 값을 나타내는 JSON 텍스트',
  oneOf: '이 중 하나',
  through: '이것들을 이 순서로 포함하는 리스트',
  same: '==는 True와 1, 1과 1.0을 같다고 본다',
  elsewhere: '채점할 때는 다른 프로세스에서 호출했다',
  held: '채점할 때는 다른 프로세스가 쓰기 잠금을 쥔 채 호출하고, 기다리는 동안 다음 문을 커밋했다:',
  rows: '행',
};
