import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { projectFile } from '../harness/project.ts';
import { cli } from './labcheck.ts';

/* A guide, as a stranger follows it: word for word. */

const run = promisify(execFile);

/**
 * Runs the `sh` blocks of a guide, one after the other in a folder that is empty at first, with the project at `~/idem-lab-checks`. Each line of the `text` block below
 * one has to be part of what it prints. Resolves to how many there were.
 */
export async function follow(guide: string, scratch: string): Promise<number> {
  const bin = path.join(scratch, 'bin');
  const folder = path.join(scratch, 'empty');
  const home = path.join(scratch, 'home');
  for (const each of [bin, folder, home]) mkdirSync(each, { recursive: true });
  symlinkSync(projectFile('.'), path.join(home, 'idem-lab-checks'));
  const command = path.join(bin, 'labcheck');
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`);
  chmodSync(command, 0o755);
  const env = { ...process.env, HOME: home, LC_ALL: 'C', PATH: `${bin}:${process.env.PATH}` };

  const text = readFileSync(projectFile(guide), 'utf8');
  const blocks = [...text.matchAll(/^ *```sh\n(.*?)```(?:\n\n *```text\n(.*?)```)?/gms)];
  for (const [, script = '', lines = ''] of blocks) {
    const { stdout, stderr } = await run('bash', ['-euc', script], { cwd: folder, env });
    for (const line of lines
      .split('\n')
      .map((each) => each.trim())
      .filter(Boolean))
      expect(`${stdout}${stderr}`).toContain(line);
  }
  return blocks.length;
}
