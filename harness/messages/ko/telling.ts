import type { telling as english } from '../en/telling.ts';
import type { Translation } from '../texts.ts';

export const telling: Translation<typeof english> = {
  anything: '예외 없이 반환(값은 무엇이든 됩니다)',
  refusal: '데이터베이스 드라이버의 것이 아닌 예외',
  or: '또는',
  otherConnection: '다른 연결: {{sql}}',
  otherProcess: '{{call}} (다른 프로세스에서)',
  waits: '{{call}} 호출, 잠금을 기다리는 중',
  noAnswer: '(응답 없음)',
  noEnd: '(끝나지 않음)',
  leftOut: '{{start}} …({{left}}자 생략)… {{end}}',
  rowIn: '{{row}} ({{database}})',
  lookAt: '{{what}} 확인',
  sameMoment: '{{command}} (다른 명령과 동시에)',
  exitCode: '종료 코드 {{code}}',

  'expected.crash': '프로세스가 도중에 끝나지 않을 것',
  'expected.timeout': '응답이 올 것',
  'expected.budget': '단계의 제한 시간 안에 충분한 수의 사례가 끝날 것',
  'expected.missing': '실습 본문에 적힌 이름의 함수 또는 파일',
  'expected.load': '불러올 수 있는 제출물',
  'expected.memory': '허용된 메모리 안에서 끝나는 호출',
  'expected.processes': '허용된 프로세스와 스레드 수 안에서 끝나는 호출',
  'expected.output': '답만 출력하고 다른 출력은 거의 없는 스크립트',
  'expected.disk': '허용된 디스크 공간 안에서 끝나는 호출',

  'hint.crash': '호출은 값이든 예외든 반드시 돌아와야 합니다',
  'hint.timeout': '끝나지 않는 반복문이나 풀리지 않는 잠금을 기다리는 곳을 찾아보세요',
  'hint.budget': '모든 사례가 오래 걸립니다. sleep이나 호출할 때마다 늘어나는 작업을 찾아보세요',
  'hint.missing': '함수와 파일의 이름은 실습 본문과 같아야 합니다',
  'hint.load': '그 파일만 따로 실행해 보세요',
  'hint.memory': '반복할 때마다 커지는 것이나 통째로 읽는 것을 찾아보세요',
  'hint.processes': '자꾸 새로 시작되는 프로세스나 스레드를 찾아보세요',
  'hint.output': '출력을 반복하는 곳이나 디버깅용으로 남긴 출력을 찾아보세요',
  'hint.disk': '호출할 때마다 커지는 파일을 찾아보세요',

  tooFewCases: '사례 {{cases}}개(최소 {{minimum}}개 필요)',
  noEntry: '폴더에 그런 파일이 없습니다',
  linkOut: '{{file}}은(는) 폴더 밖을 가리키는 링크입니다',
};
