import type { InEveryTongue } from '../../../harness/messages/texts.ts';

/** What terms of this lab are called. */
export const phrases = {
  not: { en: 'anything but {{other}}', ja: '{{other}} 以外', ko: '{{other}} 이외', zh: '除 {{other}} 以外' },
} satisfies Record<string, InEveryTongue>;
