/*
 * What a submission wrote is shown in places that obey: terminals take control characters for commands, editors and pages
 * take marks of direction, and runners of GitHub Actions take lines that begin with `::`, and `##[` anywhere.
 */

/** Controls, marks of direction and other format characters, separators of lines; not the line feed. */
const unseen = /(?!\n)[\p{C}\p{Zl}\p{Zp}]/gu;

/** The text with all that is obeyed written out. Line feeds stay. */
export function harmless(text: string): string {
  return text
    .replace(unseen, escaped)
    .replaceAll('##[', '#\\x23[')
    .replace(/^(\s*):(?=:)/gm, '$1\\x3a');
}

/** The same on one line. */
export function harmlessLine(text: string): string {
  return harmless(text.replaceAll('\n', '\\n'));
}

/** The same JSON, with all that is obeyed in escapes of its own. */
export function harmlessJson(json: string): string {
  return json.replace(unseen, escaped).replaceAll('##[', '#\\u0023[');
}

function escaped(character: string): string {
  const short = JSON.stringify(character).slice(1, -1);
  if (short !== character) return short;
  return [...Array(character.length).keys()]
    .map((unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`)
    .join('');
}
