import type { LabMessages } from '../../../harness/contract.ts';

const leftBehind = '함수 하나하나는 제대로 동작합니다. 한 함수가 다음 함수에 무엇을 남기는지 살펴보세요';

export const ko: LabMessages = {
  title: '멱등성 키를 지우면 그 보장도 끝난다',
  steps: {
    1: 'init_db',
    2: 'reserve',
    3: 'finish',
    4: 'fetch',
    5: 'expired',
    6: 'purge',
    7: 'counts',
    8: 'retention_cycle',
  },
  clauses: {
    '1.1': {
      statement: '테이블에는 계약의 다섯 열이 순서대로 있고, 올바른 행을 모두 받아들인다',
      hint: '열 이름, 타입, NOT NULL, PRIMARY KEY를 계약과 한 단어씩 비교해 보세요',
    },
    '1.2': {
      statement: '어느 프로세스에서 다시 호출해도 예외가 나지 않고, 행과 스키마가 그대로다',
      hint: '두 번째 호출은 첫 번째 호출이 만나지 않은 무엇을 만날까요?',
    },
    '2.1': {
      statement: '없는 키는 응답 없이 pending으로 들어가고, 답은 True다',
      hint: '어떤 값이 어느 열에 들어가나요? 받은 그대로 저장되나요?',
    },
    '2.2': {
      statement: '이미 있는 키는 상태, 다이제스트, 만료 시각이 무엇이든 그대로 남고, 답은 False다',
      hint: '만료된 키도 키입니다',
    },
    '2.3': {
      statement: '키의 확인과 선점은 한 번에 이루어지며, 그 사이에 생기거나 사라진 행도 올바르게 다뤄진다',
      hint: '먼저 확인하고 나중에 넣으면, 다른 프로세스가 끼어들 틈이 생깁니다',
    },
    '2.4': { statement: '어떤 순서로 호출해도 reserve는 모델대로 동작한다', hint: leftBehind },
    '3.1': {
      statement: '지문이 같은 pending 행은 만료되었더라도 응답을 JSON 텍스트로 가진 done이 된다',
      hint: 'JSON 값은 모두 응답입니다. None, False, 0, 빈 리스트도 마찬가지입니다',
    },
    '3.2': {
      statement: '키가 없거나 지문이 다르거나 이미 done이면 아무것도 바뀌지 않고, 답은 False다',
      hint: 'id, 지문, 상태, 이 세 가지가 모두 맞아야 합니다',
    },
    '3.3': {
      statement: '행의 확인과 완료는 한 번에 이루어지며, 더 빠른 다른 프로세스의 결과가 지켜진다',
      hint: '먼저 확인하고 나중에 갱신하면, 다른 프로세스가 끼어들 틈이 생깁니다',
    },
    '3.4': { statement: '어떤 순서로 호출해도 finish는 모델대로 동작한다', hint: leftBehind },
    '4.1': {
      statement: '만료되기 전까지 done 행은 재생된다. 응답은 지금 테이블에 있는 것을 파싱한 값이다',
      hint: '거짓으로 평가되는 응답도 응답입니다',
    },
    '4.2': {
      statement: '만료되는 순간부터, 그리고 다른 모든 키에 대해 답은 None이고, 행은 남는다',
      hint: '정확히 `expires`인 순간에는 어떻게 되어야 할까요?',
    },
    '4.3': { statement: '어떤 순서로 호출해도 fetch는 모델대로 답한다', hint: leftBehind },
    '5.1': {
      statement: 'done이고 만료된(now와 같은 경우 포함) id가 코드 포인트 오름차순으로 나오고, 행은 남는다',
      hint: 'id 순서와 다른 순서로 행을 넣고, 그중 하나는 바로 지금 만료되게 해 보세요',
    },
    '5.2': {
      statement: '앞에서부터 최대 `limit`개의 id가 나오고, 지정하지 않으면 10개다',
      hint: 'limit보다 많은 행을 뒤섞인 순서로 넣어 보세요',
    },
    '5.3': {
      statement: '1부터 100까지의 int가 아닌 limit은 자체 예외로 거부되고, 행은 남는다',
      hint: 'Python에서는 True도 int입니다. 그리고 SQLite는 음수 LIMIT을 나름대로 해석합니다',
    },
    '5.4': { statement: '어떤 순서로 호출해도 expired는 모델대로 답한다', hint: leftBehind },
    '6.1': {
      statement:
        'done이고 만료된 id만 사라지고 나머지는 남는다. 답은 사라진 id의 코드 포인트 오름차순 목록이다',
      hint: 'pending 행은 아무리 오래되어도 사라지지 않습니다',
    },
    '6.2': {
      statement: '앞에서부터 최대 `limit`개의 행이 사라지고, 지정하지 않으면 10개다',
      hint: 'limit보다 많은 행을 뒤섞인 순서로 넣어 보세요',
    },
    '6.3': {
      statement: '1부터 100까지의 int가 아닌 limit은 자체 예외로 거부되고, 사라지는 행이 없다',
      hint: '5단계와 같은 검사를, 무언가를 지우기 전에 합니다',
    },
    '6.4': {
      statement: 'SELECT와 DELETE 사이에 행이 바뀌지 않으며, 그 사이에 돌아온 키는 남는다',
      hint: '트랜잭션은 언제 시작되나요? SELECT 전인가요, 아니면 DELETE에 이르러서인가요?',
    },
    '6.5': {
      statement:
        '한 행이라도 지울 수 없으면 아무것도 지워지지 않는다. 남아 있는 행을 지웠다고 하지 않고, 잠금도 남지 않는다',
      hint: '트랜잭션은 반드시 끝나야 합니다. COMMIT이든 ROLLBACK이든 둘 중 하나로 끝납니다',
    },
    '6.6': { statement: '어떤 순서로 호출해도 purge는 모델대로 동작한다', hint: leftBehind },
    '7.1': {
      statement: '두 상태가 각각의 이름으로, 0인 경우까지 세어지고, 행은 남는다',
      hint: '빈 테이블에도 두 가지 개수가 있습니다',
    },
    '7.2': { statement: '어떤 순서로 호출해도 counts는 모델대로 답한다', hint: leftBehind },
    '8.1': {
      statement: '빈 테이블에서 시작하면 두 번째 예약이 성공한다. 답은 True이고, 그 행이 있다',
      hint: '10에 만료되는 키는 어느 순간에 사라지나요?',
    },
    '8.2': {
      statement: '키는 v1로 예약되고, {receipt: 1}로 완료되고, 정리된 뒤, v2로 예약된다',
      hint: '마지막 상태만 보는 것이 아닙니다. 한 주기를 실제로 거쳐야 합니다',
    },
    '8.3': {
      statement: 'retention_cycle을 포함해 어떤 순서로 호출해도 모든 함수가 모델대로 동작한다',
      hint: leftBehind,
    },
  },
  mutants: {
    'create-without-if-not-exists': '두 번째 호출에서는 테이블이 이미 있어 예외가 발생합니다.',
    'reserve-or-replace': '이미 있는 키를 저장된 응답과 함께 덮어써 버립니다.',
    'finish-again': 'done인 키가 다시 완료되어, 그동안 재생되던 응답이 사라집니다.',
    'fetch-at-expiry': '만료되는 바로 그 순간에도 응답이 재생됩니다.',
    'expired-descending': '후보가 둘이면 id가 큰 쪽이 먼저 나옵니다.',
    'purge-pending': '요청이 아직 처리 중인데도 오래된 pending 행이 삭제됩니다.',
    'counts-pending-as-zero': 'pending 행을 전혀 세지 않습니다.',
    'cycle-purges-at-9': '9 시점에는 10에 만료되는 키가 아직 유효하므로 두 번째 예약이 실패합니다.',
  },
};
