import { en } from './en/index.ts';
import { type KeyOf, type Texts, textsOf, type Values } from './texts.ts';

/** Why something could not be judged, as a result says it: in English. */
export function faultSaid(key: KeyOf<'faults'>): string {
  return textsOf('en').say('faults', key);
}

/** The same for whoever reads. What is not one of the catalogue's is left as it is. */
export function faultFor(said: string, texts: Texts): string {
  return saidAgain('faults', said, texts);
}

/** How a call or a command ended that gave no outcome, as a failure says it: in English. */
export function endSaid(key: KeyOf<'ends'>, values?: Values): string {
  return textsOf('en').say('ends', key, values);
}

/** The same for whoever reads. What the submission's own language says is left as it is. */
export function endFor(said: string, texts: Texts): string {
  return saidAgain('ends', said, texts);
}

/** The text of the part that was said in English, with its values, in another tongue. */
function saidAgain<P extends 'faults' | 'ends'>(part: P, said: string, texts: Texts): string {
  if (texts.tongue === 'en') return said;
  for (const [key, text] of Object.entries<string>(en[part])) {
    const names = [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name);
    const pattern = text
      .split(/\{\{\w+\}\}/)
      .map(escaped)
      .join('(.+)');
    const found = new RegExp(`^${pattern}$`, 's').exec(said);
    if (!found) continue;
    const values = Object.fromEntries(names.map((name, index) => [name, found[index + 1] ?? '']));
    return texts.say(part, key as KeyOf<P>, values);
  }
  return said;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
