import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { compile } from './subject/node.ts';
import { GraderFault } from './subject/subject.ts';

/** What a script of a submission makes: it is run anew, and judged by that. */
export interface Product {
  readonly script: string;
  readonly makes: readonly string[];
}

/** Whether scripts can be run as if they lay at the lab's path. */
export function canRebuild(): boolean {
  return spawnSync('bwrap', ['--ro-bind', '/', '/', 'true']).status === 0;
}

/**
 * Copies the submission to `copy`, without what the script makes, and runs the script there. To the script the copy
 * lies at `home`, the lab's own path, and is all that it can write to. What it left is judged, however it ended.
 */
export function rebuild(
  submission: { readonly folder: string; readonly scripts: Readonly<Record<string, string>> },
  { script, makes }: Product,
  { home, copy, interpreter, seconds }: { home: string; copy: string; interpreter: string; seconds: number },
): void {
  const { folder, scripts } = submission;
  mkdirSync(copy, { recursive: true });
  cpSync(folder, copy, { recursive: true });
  for (const file of makes) rmSync(path.join(copy, file), { force: true });
  const file = scripts[script];
  if (!file) return; // what it would have made is missing
  const inside = path.join(home, path.relative(folder, file));
  const bundles = `${copy}-compiled`;
  mkdirSync(bundles, { recursive: true });
  const command =
    path.extname(file) === '.py'
      ? [interpreter, inside]
      : [process.execPath, compile(file, bundles, { place: inside })];
  const { error } = spawnSync('bwrap', [...view(home, copy), '--ro-bind', bundles, bundles, ...command], {
    stdio: 'ignore',
    timeout: seconds * 1000,
    killSignal: 'SIGKILL',
    env: { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', PYTHONUTF8: '1', HOME: home, TMPDIR: '/tmp' },
  });
  if (error && (error as NodeJS.ErrnoException).code !== 'ETIMEDOUT')
    throw new GraderFault(`bwrap: ${error.message}`);
}

/** Everything as it is and not to be changed, but the copy in the place of the lab's folder, and no network. */
function view(home: string, copy: string): string[] {
  const parent = path.dirname(home);
  const beside = readdirSync(parent).filter((name) => name !== path.basename(home));
  return [
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp', '--tmpfs', parent],
    ...beside.flatMap((name) => ['--ro-bind', path.join(parent, name), path.join(parent, name)]),
    ...['--bind', copy, home, '--chdir', home, '--unshare-all', '--die-with-parent', '--new-session'],
  ];
}
