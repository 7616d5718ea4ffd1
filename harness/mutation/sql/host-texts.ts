import path from 'node:path';
import { composedTexts, type HostLanguage } from './compose.ts';
import { decode, lineEnd } from './decode.ts';
import type { HostText } from './host-text.ts';
import { javascript } from './javascript.ts';
import { python } from './python.ts';

const languages = new Map([
  ['.py', python],
  ...['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs'].map((extension) => [extension, javascript] as const),
]);

/** The texts of a file. Its extension decides the language; a `.sql` file is one text; others have none. */
export function hostTexts(file: string, source: string): readonly HostText[] {
  if (path.extname(file) === '.sql') return [sqlFile(file, source)];
  const language = languageOf(file);
  return language ? composedTexts(file, source, language) : [];
}

/** The language of a file, by its extension; undefined for one that is not read. */
export function languageOf(file: string): HostLanguage | undefined {
  return languages.get(path.extname(file));
}

function sqlFile(file: string, source: string): HostText {
  const content = decode(source, { from: 0, to: source.length }, lineEnd);
  const literal = { kind: 'literal', ...content, encode: (text: string) => text } as const;
  return { file, pieces: [literal], from: 0, handedTo: undefined, scopes: [] };
}
