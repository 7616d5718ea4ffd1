import { en } from './en/index.ts';
import { type KeyOf, type Texts, textsOf } from './texts.ts';

/** Why something could not be judged, as a result says it: in English. */
export function faultSaid(key: KeyOf<'faults'>): string {
  return textsOf('en').say('faults', key);
}

/** The same for whoever reads. What is not one of the catalogue's is left as it is. */
export function faultFor(said: string, texts: Texts): string {
  const keys = Object.keys(en.faults) as KeyOf<'faults'>[];
  const key = keys.find((each) => faultSaid(each) === said);
  return key ? texts.say('faults', key) : said;
}
