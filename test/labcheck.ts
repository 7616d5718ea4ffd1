import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { projectFile } from '../harness/project.ts';

/* The command line, as it is built. */

/** A copy of the build, as another build may begin meanwhile. Its modules look for their packages from here. */
const build = projectFile(`node_modules/.cache/labcheck-${process.pid}`);
export const cli = path.join(build, 'cli.js');

beforeAll(() => {
  if (!isBuilt()) execFileSync(process.execPath, ['build.mjs'], { cwd: projectFile('.') });
  cpSync(projectFile('dist'), build, { recursive: true });
});
afterAll(() => rmSync(build, { recursive: true }));

/** Whether the build is newer than all it is made of. */
function isBuilt(): boolean {
  const built = statSync(projectFile('dist/cli.js'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return ['harness', 'checks'].every((folder) =>
    readdirSync(projectFile(folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.name.endsWith('.ts'))
      .every((entry) => statSync(path.join(entry.parentPath, entry.name)).mtimeMs < built),
  );
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
  readonly pid: number | undefined;
}

export interface Running {
  readonly child: ChildProcess;
  /** Resolves once stdout holds the text. */
  printed(text: string): Promise<void>;
  readonly ended: Promise<Ended>;
}

export function start(args: readonly string[], env: Record<string, string> = {}): Running {
  const started = performance.now();
  const child = spawn(process.execPath, [cli, ...args], { env: { ...process.env, ...env } });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (data) => {
    stdout += data;
  });
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  return {
    child,
    printed: (text) =>
      new Promise((resolve) => child.stdout.on('data', () => stdout.includes(text) && resolve())),
    ended: new Promise((resolve) => {
      child.on('close', (code) =>
        resolve({ code, stdout, stderr, seconds: (performance.now() - started) / 1000, pid: child.pid }),
      );
    }),
  };
}

export const run = (args: readonly string[], env?: Record<string, string>): Promise<Ended> =>
  start(args, env).ended;
