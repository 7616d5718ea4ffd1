import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectFile } from './project.ts';
import { outsideLabs } from './registry.ts';

/** The version of the checks and the harness: a hash of what is run, compiled or not, labs from outside included. */
export function versionOfChecks(): string {
  const here = fileURLToPath(import.meta.url);
  const folders = here.endsWith('.ts')
    ? [projectFile('harness'), projectFile('checks')]
    : [path.dirname(here), projectFile('harness/subject')];
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:m?[jt]s|py)$/.test(file))
      .sort()
      .map((file) => readFileSync(path.join(folder, file))),
  );
  const outside = outsideLabs().map(({ manifest, code }) => Buffer.from(JSON.stringify(manifest) + code));
  return hashOf(Buffer.concat([...files, ...outside]));
}

/** SHA-256, as hexadecimal digits. */
export function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
