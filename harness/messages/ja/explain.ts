import type { explain as english } from '../en/explain.ts';
import type { Translation } from '../texts.ts';

export const explain: Translation<typeof english> = {
  why: 'なぜ求めるのか',
  limits: '約束しないこと',
  sources: '出典',
  labText: 'ラボの本文、ステップ {{step}}',
  step: 'ステップ {{step}}  {{title}}',
};
