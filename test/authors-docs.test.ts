import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { projectFile } from '../harness/project.ts';
import { openScratch } from '../harness/scratch.ts';

/* The guide for authors, as a stranger follows it: word for word, in an empty folder. */

const scratch = openScratch();
afterAll(() => scratch.remove());

const run = promisify(execFile);

test('docs/authors.md does what it says', { timeout: 300_000 }, async () => {
  const bin = path.join(scratch.folder, 'bin');
  const folder = path.join(scratch.folder, 'empty');
  for (const each of [bin, folder]) mkdirSync(each);
  const command = path.join(bin, 'labcheck');
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${projectFile('dist/cli.js')}' "$@"\n`);
  chmodSync(command, 0o755);
  const env = { ...process.env, LC_ALL: 'C', PATH: `${bin}:${process.env.PATH}` };

  const guide = readFileSync(projectFile('docs/authors.md'), 'utf8');
  const blocks = [...guide.matchAll(/```sh\n(.*?)```(?:\n\n```text\n(.*?)```)?/gs)];
  expect(blocks).toHaveLength(5);
  for (const [, script = '', lines = ''] of blocks) {
    const { stdout, stderr } = await run('bash', ['-euc', script], { cwd: folder, env });
    for (const line of lines.split('\n').filter(Boolean)) expect(`${stdout}${stderr}`).toContain(line);
  }
});
