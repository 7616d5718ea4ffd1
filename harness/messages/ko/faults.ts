import type { faults as english } from '../en/faults.ts';
import type { Translation } from '../texts.ts';

export const faults: Translation<typeof english> = {
  interrupted: '중단되었습니다',
  unfinished: '끝까지 판정하지 못했습니다',
  noPython: 'PATH에 python3가 없습니다. 설치하거나 --interpreter로 지정해 주십시오',
  full: '디스크에 남은 공간이 없습니다',
  noSandbox:
    '샌드박스가 없습니다(bubblewrap: {{reason}}). 제출물은 별도의 프로세스에서 실행되지만, 컴퓨터를 공격하는 제출물은 막지 못합니다',
};
