import path from 'node:path';
import { composedTexts } from './compose.ts';
import type { HostText } from './host-text.ts';
import { javascript } from './javascript.ts';
import { python } from './python.ts';
import { lineEnd, unescape } from './unescape.ts';

const languages = new Map([
  ['.py', python],
  ...['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs'].map((extension) => [extension, javascript] as const),
]);

/** The texts of a file. Its extension decides the language; a `.sql` file is one text; others have none. */
export function hostTexts(file: string, source: string): readonly HostText[] {
  const extension = path.extname(file);
  if (extension === '.sql') return [sqlFile(file, source)];
  const language = languages.get(extension);
  return language ? composedTexts(file, source, language) : [];
}

function sqlFile(file: string, source: string): HostText {
  const content = unescape(source, { from: 0, to: source.length }, lineEnd);
  const literal = { kind: 'literal', ...content, encode: (text: string) => text } as const;
  return { file, pieces: [literal], from: 0, handedTo: undefined, scopes: [] };
}
