/** Ways to compare texts that take different ones for the same. */
const waysToCompare = {
  normalised: (a: string, b: string) => a.normalize('NFC') === b.normalize('NFC'),
  trimmed: (a: string, b: string) => a.trim() === b.trim(),
  caseFolded: (a: string, b: string) => a.toLowerCase() === b.toLowerCase(),
  likeWildcards: isLike,
};

export type Likeness = keyof typeof waysToCompare;

/** The first way to compare by which what was given is the same as another text. */
export function likenessOf(given: string, other: string): Likeness | undefined {
  if (given === other) return undefined;
  return (Object.keys(waysToCompare) as Likeness[]).find((name) => waysToCompare[name](given, other));
}

/** Whether SQLite's LIKE takes the text for an instance of the pattern: `%` is any text, `_` any character, a is A. */
export function isLike(pattern: string, text: string): boolean {
  const source = [...pattern].map((character) => {
    if (character === '%') return '.*';
    return character === '_' ? '.' : character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
  });
  return new RegExp(`^${source.join('')}$`, 'isu').test(text);
}
