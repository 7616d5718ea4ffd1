import type { worksheet as english } from '../en/worksheet.ts';
import type { Translation } from '../texts.ts';

export const worksheet: Translation<typeof english> = {
  step: '{{step}}단계  {{title}}',
  contract: '계약',
  change: '변경',
  question: '어떤 입력, 어떤 예외, 또는 테이블의 어떤 상태를 보면 차이를 알 수 있을까요?',
  pressEnter: '예상을 적어 두고 Enter를 누르세요:',
  howToReveal: '--reveal을 붙이면 답이 표시됩니다.',
  state: '실행 후 상태',
  why: '이유',
  unnoticed_other:
    '사례 {{count}}개에서 차이가 나타나지 않았습니다. 이 코드에서는 이 변경이 아무것도 깨뜨리지 않을 수 있습니다',
  notInYours: '참조 구현으로 보여 드립니다. 제출하신 코드에는 이 변경을 넣을 곳이 하나로 정해지지 않습니다.',
  notInLanguage: '참조 구현으로 보여 드립니다. 이 변경은 {{language}} 버전이 없습니다.',
  yoursFails: '참조 구현으로 보여 드립니다. 제출하신 코드는 아직 {{step}}단계를 통과하지 못합니다.',
  noSandbox: '이 단계는 스크립트를 다시 실행하므로 bubblewrap이 필요합니다',
};
