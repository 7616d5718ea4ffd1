import { createInstance } from 'i18next';
import { en } from './en/index.ts';
import { ja } from './ja/index.ts';
import { ko } from './ko/index.ts';
import { zh } from './zh/index.ts';

/* What a learner reads, in the language that they read. English is the list of keys. */

export const tongues = ['en', 'ja', 'ko', 'zh'] as const;
export type Tongue = (typeof tongues)[number];

/** The same keys in another tongue; of a count's forms only `_other`, as none of ours but English has more. */
export type Translation<English> = {
  readonly [Key in keyof English as Key extends `${string}_one` ? never : Key]: string;
};

export type Part = keyof typeof en;
/** A key, without the ending of its plural forms. */
export type KeyOf<P extends Part> =
  Extract<keyof (typeof en)[P], string> extends infer Key
    ? Key extends `${infer Stem}_one` | `${infer Stem}_other`
      ? Stem
      : Key
    : never;
export type Values = Readonly<Record<string, string | number>>;

export const catalogues = { en, ja, ko, zh } as const satisfies Record<
  Tongue,
  { readonly [P in Part]: Translation<(typeof en)[P]> }
>;

/** The texts of one tongue. Values stand in a text as `{{name}}`; the form of a plural follows `count`. */
export interface Texts {
  readonly tongue: Tongue;
  say<P extends Part>(part: P, key: KeyOf<P>, values?: Values): string;
  /** One phrase of those that a lab brings along. */
  phrase(phrases: InEveryTongue, values?: Values): string;
}

export type InEveryTongue = Readonly<Record<Tongue, string>>;

export function textsOf(tongue: Tongue): Texts {
  const known = made.get(tongue) ?? make(tongue);
  made.set(tongue, known);
  return known;
}

const made = new Map<Tongue, Texts>();

function make(tongue: Tongue): Texts {
  const i18n = createInstance();
  i18n.init({
    ...{ lng: tongue, resources: { [tongue]: catalogues[tongue] }, ns: Object.keys(en), initAsync: false },
    // Keys have dots of their own, as in `4.1`; what is shown is no HTML yet.
    ...{ keySeparator: false, nsSeparator: false, interpolation: { escapeValue: false } },
  });
  return {
    tongue,
    say: (part, key, values = {}) => i18n.t(key as string, { ...values, ns: part }),
    phrase: (phrases, values = {}) =>
      i18n.services.interpolator.interpolate(phrases[tongue], values, tongue, { escapeValue: false }),
  };
}

/** The texts of one part alone. */
export function wordsOf<P extends Part>(texts: Texts, part: P): (key: KeyOf<P>, values?: Values) => string {
  return (key, values) => texts.say(part, key, values);
}

/** The tongue of a locale's name, as in LC_ALL, LANG and --lang: `ja_JP.UTF-8`, `zh-TW`. */
export function tongueOf(locale: string | undefined): Tongue | undefined {
  const [language] = (locale ?? '').toLowerCase().split(/[-_.@]/);
  return tongues.find((tongue) => tongue === language);
}

/** The tongue of whoever reads: what they ask for, else that of their environment (POSIX: LC_ALL before LC_MESSAGES before LANG). */
export function tongueOfReader(asked: string | undefined, environment: NodeJS.ProcessEnv): Tongue {
  const { LC_ALL, LC_MESSAGES, LANG } = environment;
  return tongueOf(asked) ?? tongueOf(LC_ALL || LC_MESSAGES || LANG) ?? 'en';
}
