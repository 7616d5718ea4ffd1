import { execFileSync } from 'node:child_process';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs';
import path from 'node:path';

/**
 * The path of a Python, by a name on PATH or a path; undefined where there is none. A shim, which is a script that
 * finds out anew at every start which Python is meant, costs 120 ms each time: what it stands for is looked up once.
 */
export function findInterpreter(name: string): string | undefined {
  const found = name.includes(path.sep) ? executable(path.resolve(name)) : onPath(name);
  return found && isScript(found) ? (pyenvVersion(found) ?? askedFor(found) ?? found) : found;
}

/** The program of that name on PATH. */
export function onPath(name: string): string | undefined {
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    const found = executable(path.join(folder, name));
    if (folder && found) return found;
  }
  return undefined;
}

function executable(file: string): string | undefined {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile() ? file : undefined;
  } catch {
    return undefined;
  }
}

function isScript(file: string): boolean {
  const start = Buffer.alloc(2);
  const descriptor = openSync(file, 'r');
  readSync(descriptor, start);
  closeSync(descriptor);
  return start.toString() === '#!';
}

/** What a shim of pyenv stands for, by pyenv's own rule: PYENV_VERSION, .python-version upwards, the global version. */
function pyenvVersion(shim: string): string | undefined {
  const root = path.dirname(path.dirname(shim));
  if (path.basename(path.dirname(shim)) !== 'shims' || !existsSync(path.join(root, 'versions')))
    return undefined;
  const [version] = (
    process.env.PYENV_VERSION ??
    localVersion(process.cwd()) ??
    read(path.join(root, 'version'))
  ).split(/[:\s]/);
  return version ? executable(path.join(root, 'versions', version, 'bin', path.basename(shim))) : undefined;
}

function localVersion(folder: string): string | undefined {
  const file = path.join(folder, '.python-version');
  if (existsSync(file)) return read(file);
  const parent = path.dirname(folder);
  return parent === folder ? undefined : localVersion(parent);
}

function read(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
}

function askedFor(shim: string): string | undefined {
  try {
    const answer = execFileSync(shim, ['-c', 'import sys; print(sys.executable)'], {
      timeout: 10_000,
      encoding: 'utf8',
    });
    return executable(answer.trim());
  } catch {
    return undefined;
  }
}
