import { spawnSync } from 'node:child_process';
import { cpSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Product } from './contract.ts';
import { sqlitePackages } from './project.ts';
import type { AnyLab } from './registry.ts';
import { type Confinement, Sandbox } from './sandbox.ts';
import { onPath } from './subject/interpreter.ts';
import { compile } from './subject/node.ts';
import { GraderFault } from './subject/subject.ts';
import { type Submission, scriptsOf } from './subject/submission.ts';

interface Scripts {
  readonly folder: string;
  readonly scripts: Readonly<Record<string, string>>;
}

/** How scripts are run as if they lay at the lab's path, which only bubblewrap can do; undefined where it does not work. */
export function rebuildConfinement(cpuSeconds: number): Confinement | undefined {
  const bubblewrap = onPath('bwrap');
  if (bubblewrap === undefined) return undefined;
  const works = spawnSync(bubblewrap, ['--ro-bind', '/', '/', 'true'], { stdio: 'ignore' }).status === 0;
  return works ? { isolation: 'bubblewrap', bubblewrap, cpuSeconds } : undefined;
}

/**
 * Copies the submission to `copy`, without what the script makes, and runs the script there, in a sandbox. To the script
 * the copy lies at `home`, the lab's own path. What it left is judged, however it ended. It may take as many seconds as it
 * may take of a processor.
 */
async function rebuild(
  { folder, scripts }: Scripts,
  { script, makes }: Product,
  { home, copy, interpreter }: { home: string; copy: string; interpreter: string },
  confinement: Confinement,
): Promise<void> {
  mkdirSync(copy, { recursive: true });
  cpSync(folder, copy, { recursive: true, verbatimSymlinks: true, filter: isCopied });
  for (const file of makes) rmSync(path.join(copy, file), { force: true, recursive: true });
  const file = scripts[script];
  if (!file) return; // what it would have made is missing
  const inside = path.join(home, path.relative(folder, file));
  const workplace = `${copy}-workplace`;
  mkdirSync(workplace, { recursive: true });
  const isPython = path.extname(file) === '.py';
  const [program, args] = isPython
    ? [interpreter, [inside]]
    : [process.execPath, [compile(file, workplace, { place: inside })]];
  const view = {
    submission: copy,
    at: home,
    programs: [program],
    files: isPython ? [] : sqlitePackages(),
  };
  const confined = new Sandbox(confinement, workplace, view).start(program, args, {
    cwd: home,
    stdio: 'ignore',
    limitMemory: isPython,
  });
  const timer = setTimeout(() => confined.kill(), confinement.cpuSeconds * 1000);
  await new Promise<void>((resolve, reject) => {
    confined.child.on('error', (error) => reject(new GraderFault(`bwrap: ${error.message}`)));
    confined.child.on('exit', () => resolve());
  }).finally(() => clearTimeout(timer));
}

/** What is no file, folder or link would never be read to its end. */
function isCopied(place: string): boolean {
  const status = lstatSync(place);
  return status.isFile() || status.isDirectory() || status.isSymbolicLink();
}

/**
 * The submission as a copy in which the product's script has just been run, confined by bubblewrap. Throws a
 * {@link GraderFault} without that.
 */
export async function rebuilt(
  submission: Submission,
  product: Product,
  { home, entry }: AnyLab,
  copy: string,
  confinement: Confinement | undefined,
): Promise<Submission> {
  if (submission.kind !== 'scripts') return submission;
  if (!confinement) throw new GraderFault('bubblewrap does not work here, and scripts are to be run anew');
  const { interpreter, folder } = submission;
  await rebuild(submission, product, { home, copy, interpreter }, confinement);
  const command = submission.scripts[entry];
  const copied = command ? path.join(copy, path.relative(folder, command)) : undefined;
  return scriptsOf(copy, entry, copied, interpreter);
}
