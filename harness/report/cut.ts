/* Platforms take texts of a certain length: what is over it is left out, and the text says so. */

/** The text in at most so many UTF-16 units, which must be some fifty or more. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const note = (more: number) => ` … cut, ${more} characters more`;
  const kept = text.slice(0, most - note(text.length).length).replace(/[\ud800-\udbff]$/, ''); // no half characters
  return kept + note(text.length - kept.length);
}

/** UTF-16 units that take no more than so many bytes of UTF-8, whatever they are. */
export function unitsIn(bytes: number): number {
  return Math.floor(bytes / 3);
}

/** Lengths of a single text that are tried, the longest first. */
const lengths = [Number.POSITIVE_INFINITY, 60_000, 20_000, 6_000, 2_000, 600, 200];

/**
 * The document in at most so many bytes of UTF-8: `render` makes it with texts of at most so many units, and is asked for
 * shorter ones until it fits. A report has some thirty texts: the shortest fit everywhere.
 */
export function fitted(bytes: number, render: (most: number) => string): string {
  let document = '';
  for (const most of lengths) {
    document = render(most);
    if (Buffer.byteLength(document) <= bytes) break;
  }
  return document;
}
