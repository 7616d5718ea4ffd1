/*
 * npm run mutation: Stryker on the TypeScript references, then whether its report can be believed and is what it
 * should be. Exit code 1, and a line for each thing that is not.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { problemsOf, tally, withoutCanaries } from './report.mjs';

process.chdir(fileURLToPath(new URL('../..', import.meta.url)));

const { incrementalFile, jsonReporter } = JSON.parse(readFileSync('stryker.conf.json', 'utf8'));
const folder = path.dirname(jsonReporter.fileName);
/** For other tools: the report without the canaries. It is there only if all is as it should be. */
const published = path.join(folder, 'mutation.json');
const stamp = path.join(folder, 'suites.sha256');

mkdirSync(folder, { recursive: true });
for (const file of [jsonReporter.fileName, published]) rmSync(file, { force: true });
const suites = digestOfSuites();
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== suites) rmSync(incrementalFile, { force: true });

const { status } = spawnSync('node_modules/.bin/stryker', ['run'], { stdio: 'inherit' });
if (status !== 0 || !existsSync(jsonReporter.fileName)) {
  console.error('mutation: Stryker itself failed; see above');
  process.exit(1);
}
writeFileSync(stamp, suites);

const report = JSON.parse(readFileSync(jsonReporter.fileName, 'utf8'));
const references = filesIn('reference').filter((name) => name.endsWith('.ts'));
const problems = problemsOf(report, references);
for (const problem of problems) console.error(`mutation: ${problem}`);
if (problems.length > 0) process.exit(1);
const clean = withoutCanaries(report);
writeFileSync(published, JSON.stringify(clean));
const { Killed = 0, Timeout = 0, Ignored = 0 } = tally(clean);
console.log(
  `mutation: ${references.length} files, ${Killed + Timeout} mutants killed (${Timeout} of them endless), ` +
    `none survived; ${Ignored} disabled, each with its reason. The canaries are as they should be.`,
);

/**
 * Stryker knows again what it may keep of the last run by the mutated files and the suites alone: here is all else that a
 * result depends on.
 */
function digestOfSuites() {
  const sources = ['checks', 'harness', 'test/stryker', 'reference'].flatMap(filesIn);
  const others = sources.filter((name) => !(name.startsWith('reference/') && name.endsWith('.ts')));
  const hash = createHash('sha256');
  for (const name of [...others, 'stryker.conf.json', 'vitest.stryker.config.ts', 'package-lock.json'])
    hash.update(`${name}\0`).update(readFileSync(name));
  return hash.digest('hex');
}

function filesIn(root) {
  return readdirSync(root, { recursive: true })
    .map((name) => path.posix.join(root, name))
    .filter((name) => statSync(name).isFile())
    .sort();
}
