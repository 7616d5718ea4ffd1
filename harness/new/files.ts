import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectFile } from '../project.ts';
import { UsageError } from '../usage-error.ts';

/** Texts by their paths in a folder. */
export type Files = Readonly<Record<string, string>>;

/** What stands for `{{name}}` in a template. */
export type Values = Readonly<Record<string, string>>;

const templates = 'harness/new/templates';

/** A template with its values in place. */
export function template(name: string, values: Values): string {
  return filled(readFileSync(projectFile(path.join(templates, name)), 'utf8'), values);
}

/** All templates in a folder. */
export function templatesIn(name: string, values: Values): Files {
  const folder = projectFile(path.join(templates, name));
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const names = files.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name))).sort();
  return Object.fromEntries(names.map((each) => [each, template(path.join(name, each), values)]));
}

function filled(text: string, values: Values): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new RangeError(`no value for ${name}`);
    return value;
  });
}

/** Writes new files, and tells of each. Throws a {@link UsageError}, before any is written, where one is there already. */
export function writeNew(folder: string, files: Files, executable = false): void {
  const places = Object.keys(files).map((name) => path.join(folder, name));
  const taken = places.find((place) => existsSync(place));
  if (taken) throw new UsageError(`${shown(taken)}: is there already; choose another name, or remove it`);
  for (const [name, text] of Object.entries(files)) {
    const place = path.join(folder, name);
    try {
      mkdirSync(path.dirname(place), { recursive: true });
      writeFileSync(place, text, { flag: 'wx', mode: executable ? 0o777 : 0o666 });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new UsageError(
        `${shown(place)}: cannot be written (${code}); call labcheck in a folder that can`,
      );
    }
    console.log(shown(place));
  }
}

/** A path as a reader in this folder has it. */
export function shown(place: string): string {
  const relative = path.relative('.', place);
  return relative.startsWith('..') ? place : relative;
}
