import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's own folder, of which this file is a part both as source and compiled. */
const root = (function find(folder: string): string {
  return existsSync(path.join(folder, 'package.json')) ? folder : find(path.dirname(folder));
})(path.dirname(fileURLToPath(import.meta.url)));

/** The absolute path of a file of the project. */
export function projectFile(relative: string): string {
  return path.join(root, relative);
}

/** The version of this project. */
export function projectVersion(): string {
  return JSON.parse(readFileSync(projectFile('package.json'), 'utf8')).version;
}

/** The file that `import 'better-sqlite3'` means here: submissions in JavaScript get the grader's. */
export function sqliteModule(): string {
  return createRequire(import.meta.url).resolve('better-sqlite3');
}

/** The folders of that module and of what it loads. */
export function sqlitePackages(): readonly string[] {
  const module = sqliteModule();
  const requireThere = createRequire(module);
  return [module, ...['bindings', 'file-uri-to-path'].map((name) => requireThere.resolve(name))].map(
    packageOf,
  );
}

/** The folder of the package that a file belongs to. */
export function packageOf(file: string): string {
  return existsSync(path.join(file, 'package.json')) ? file : packageOf(path.dirname(file));
}
