import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Change, ClassEntry } from '../report/class.ts';
import type { Report } from '../report/report.ts';
import type { Pupil } from './roster.ts';

/** Digits of a pseudonym: two of a thousand submissions share one in one class of thirty million. */
const digits = 10;

/** Names that are shorter are left in texts: they would be found in every other word. */
const shortestName = 3;

/**
 * Names for sharing, which are the same every time, and of which nobody can tell whose they are without the key. The key
 * lies in a file of its own, which only its owner can read.
 */
export class Pseudonyms {
  readonly #key: Buffer;

  constructor(file: string) {
    if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600 });
    this.#key = Buffer.from(readFileSync(file, 'utf8'), 'hex');
  }

  of(name: string): string {
    return `s-${createHmac('sha256', this.#key).update(name).digest('hex').slice(0, digits)}`;
  }

  /** The submissions under their pseudonyms, in the order of these: nothing of ours names or locates them. */
  entries(pupils: readonly Pupil[], entries: readonly ClassEntry[]): readonly ClassEntry[] {
    const byName = new Map(entries.map(({ name, report }) => [name, report]));
    return pupils
      .flatMap((pupil) => {
        const report = byName.get(pupil.name);
        return report ? [{ name: this.of(pupil.name), report: this.#hidden(report, pupil) }] : [];
      })
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  changes(changes: readonly Change[]): readonly Change[] {
    return changes.map((change) => ({ ...change, name: this.of(change.name) }));
  }

  #hidden(report: Report, { name, place }: Pupil): Report {
    const pseudonym = this.of(name);
    const places = [place, realpathSync(place)].sort((a, b) => b.length - a.length);
    const names = [name, path.basename(name)].filter(({ length }) => length >= shortestName);
    const words = names.map(
      (each) => new RegExp(`(?<![\\p{L}\\p{N}_])${escaped(each)}(?![\\p{L}\\p{N}_])`, 'giu'),
    );
    const hide = (text: string) => {
      const placeless = places.reduce((rest, each) => rest.replaceAll(each, `/${pseudonym}`), text);
      const nameless = words.reduce((rest, word) => rest.replace(word, pseudonym), placeless);
      return nameless.replaceAll(homedir(), '~');
    };
    return withTexts(report, hide);
  }
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** The same value with all its texts changed, but for the names of members. */
function withTexts<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T;
  if (Array.isArray(value)) return value.map((each) => withTexts(each, change)) as T;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withTexts(member, change)]),
  ) as T;
}
