import type { watch as english } from '../en/watch.ts';
import type { Translation } from '../texts.ts';

export const watch: Translation<typeof english> = {
  watching: '{{place}} 경로의 변경을 지켜보고 있습니다. 끝내려면 Ctrl-C를 누르세요.',
  changed: '{{time}}  변경됨: {{what}}',
  begins: '{{time}}  첫 채점을 시작합니다',
  allPassed_other: '단계 {{count}}개를 모두 통과했습니다({{seconds}}초). 저장하면 다시 채점합니다.',
  notAll:
    '단계 {{all}}개 중 {{passed}}개를 통과했습니다({{seconds}}초). 남은 단계: {{steps}}. 저장하면 다시 채점합니다.',
  notLoaded: '제출물을 불러올 수 없어 어느 단계도 채점하지 못했습니다. 저장하면 다시 채점합니다.',
  undecided: '판정하지 못했습니다: {{fault}}',
  ended: '종료했습니다.',
};
