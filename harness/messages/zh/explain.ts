import type { explain as english } from '../en/explain.ts';
import type { Translation } from '../texts.ts';

export const explain: Translation<typeof english> = {
  why: '为什么要求',
  limits: '不作保证的',
  sources: '出处',
  labText: '实验文本，第 {{step}} 步',
  step: '第 {{step}} 步  {{title}}',
};
