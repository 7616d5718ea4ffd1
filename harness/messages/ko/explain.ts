import type { explain as english } from '../en/explain.ts';
import type { Translation } from '../texts.ts';

export const explain: Translation<typeof english> = {
  why: '왜 요구하는가',
  limits: '약속하지 않는 것',
  sources: '출처',
  labText: '실습 본문, {{step}}단계',
  step: '{{step}}단계  {{title}}',
};
