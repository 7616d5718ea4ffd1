import { existsSync, mkdirSync, readdirSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { BuildFailure } from 'esbuild';
import type { Bench } from './bench.ts';
import type { Step } from './contract.ts';
import { type Manifest, manifestNames, manifestOf, readManifest } from './lab-manifest.ts';
import { sqliteModule } from './project.ts';
import { type AnyLab, addOutsideLab, labById, type OutsideLab, outsideLabs } from './registry.ts';
import { openScratch } from './scratch.ts';
import { UsageError } from './usage-error.ts';

/*
 * Labs outside this project: a folder with a manifest, contract files, references and mutants. Their TypeScript is part
 * of the grader, and trusted as such.
 */

/** Makes the labs in these folders known: each is a lab, or holds labs. Throws a {@link UsageError}. */
export async function addLabDirs(dirs: readonly string[]): Promise<void> {
  const folders = new Set(dirs.flatMap(labFolders).map((folder) => realpathSync(folder)));
  for (const folder of folders) {
    if (outsideLabs().some((known) => known.folder === folder)) continue;
    await addLab(outsideLab(folder));
  }
}

/** Makes labs known that another thread has read and compiled. */
export async function addCompiledLabs(compiled: readonly OutsideLab[]): Promise<void> {
  for (const each of compiled) await addLab(each);
}

/** The folders of labs that a `--lab-dir` means. */
export function labFolders(dir: string): readonly string[] {
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`--lab-dir ${dir}: there is no such folder; name a lab's, or one that holds labs`);
  if (manifestOf(dir)) return [dir];
  const inside = readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => path.join(dir, name))
    .filter((folder) => manifestNames.some((name) => existsSync(path.join(folder, name))));
  if (inside.length > 0) return inside;
  throw new UsageError(
    `--lab-dir ${dir}: neither it nor a folder in it has a ${manifestNames.join(' or ')}; 'labcheck new lab NAME' makes one`,
  );
}

function outsideLab(folder: string): OutsideLab {
  const name = manifestOf(folder);
  if (!name) throw new UsageError(`${folder}: has no ${manifestNames.join(' or ')}; add one`);
  const manifest = readManifest(folder, name);
  const called = path.basename(folder);
  if (labById(manifest.id))
    throw new UsageError(`${called}/${name}: id: there is another lab '${manifest.id}'; choose another id`);
  return { folder, manifest, code: compiled(folder, called, manifest) };
}

/** `01-claim.contract.ts`: the number and the name of a step. */
const contractFile = /^(\d\d)-([a-z0-9]+(?:-[a-z0-9]+)*)\.contract\.ts$/;

/** The contract files of a lab's folder, in the order of their steps. Throws a {@link UsageError} where a number is missing. */
export function contractFiles(folder: string): readonly string[] {
  const called = path.basename(folder);
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.contract.ts'))
    .sort();
  for (const [index, name] of files.entries()) {
    const number = Number(contractFile.exec(name)?.[1]);
    if (number === index + 1) continue;
    const due = String(index + 1).padStart(2, '0');
    throw new UsageError(
      `${called}/${name}: contract files are numbered from 01 without gaps; name it ${due}-name.contract.ts`,
    );
  }
  if (files.length > 0) return files;
  throw new UsageError(`${called}: has no contract file; add 01-name.contract.ts`);
}

/** What a lab's code is: its steps in order, and what its clauses work with. */
interface LabModule {
  readonly steps: readonly unknown[];
  readonly context: Partial<Pick<AnyLab, 'prepare' | 'open'>>;
}

const require = createRequire(import.meta.url);

/**
 * The contract files and what they import, as one module. What they import of `idem-lab-checks/contract`, `fast-check` and
 * `better-sqlite3` is what the grader itself runs. Throws a {@link UsageError} with file and line.
 */
function compiled(folder: string, called: string, { context }: Manifest): string {
  const { buildSync } = require('esbuild') as typeof import('esbuild'); // only where it is needed: it takes 20 ms
  if (context && !existsSync(path.join(folder, context)))
    throw new UsageError(`${called}: context: there is no ${context}; add it, or leave the field out`);
  const files = contractFiles(folder);
  const own = ownModules();
  const source = [
    ...files.map((file, index) => `import step${index + 1} from './${file}';`),
    `export const steps = [${files.map((_, index) => `step${index + 1}`).join(', ')}];`,
    context ? `export * as context from './${context}';` : 'export const context = {};',
  ].join('\n');
  try {
    const { outputFiles } = buildSync({
      stdin: { contents: source, resolveDir: folder, sourcefile: 'lab', loader: 'ts' },
      ...{ bundle: true, write: false, format: 'esm', platform: 'node', target: 'node20' },
      ...{ absWorkingDir: folder, outfile: path.join(folder, 'lab.mjs'), sourcemap: 'inline' },
      ...{ alias: own, external: Object.values(own), logLevel: 'silent' },
    });
    return outputFiles[0]?.text ?? '';
  } catch (error) {
    const [first] = (error as BuildFailure).errors ?? [];
    if (!first) throw error;
    const place = first.location ? `/${first.location.file}:${first.location.line}` : '';
    throw new UsageError(`${called}${place}: ${first.text}; mend it there`);
  }
}

/** What labs import and the grader has: by the names in their code, the modules that run here. */
function ownModules(): Record<string, string> {
  const here = fileURLToPath(import.meta.url);
  const beside = (name: string) => path.join(path.dirname(here), name + path.extname(here));
  return {
    'idem-lab-checks/contract': beside('vocabulary'),
    'fast-check': beside('fast-check'),
    'better-sqlite3': sqliteModule(),
  };
}

async function addLab(outside: OutsideLab): Promise<void> {
  const { folder, manifest, code } = outside;
  const called = path.basename(folder);
  const { steps, context } = await load(code, called);
  const files = contractFiles(folder);
  const { id, title, kind, entry, budget, products, life } = manifest;
  const lab: AnyLab = {
    ...{ id, title, kind, entry, budget, ...(products && { products }), ...(life && { life }) },
    home: manifest.home ?? '.',
    steps: steps.map((step, index) => checkedStep(step, files[index] ?? '', called)),
    prepare: context.prepare ?? (async () => undefined),
    open: context.open ?? ((bench: Bench) => ({ bench })),
  };
  for (const number of Object.keys(products ?? {})) {
    if (Number(number) > steps.length)
      throw new UsageError(`${called}: products.${number}: there is no step ${number}; leave it out`);
  }
  for (const name of ['prepare', 'open'] as const) {
    if (typeof lab[name] !== 'function')
      throw new UsageError(
        `${called}/${manifest.context}: ${name} is no function; write 'export function ${name}(…)'`,
      );
  }
  addOutsideLab(outside, lab);
}

/** Imports the code from a folder of this run's. */
async function load(code: string, called: string): Promise<LabModule> {
  const scratch = openScratch();
  // From source, where a tool compiles what is imported, it has to be what that tool compiles, too.
  const file = path.join(scratch.folder, import.meta.url.endsWith('.ts') ? 'lab.ts' : 'lab.mjs');
  try {
    mkdirSync(scratch.folder, { recursive: true });
    writeFileSync(file, code);
    return await import(pathToFileURL(file).href);
  } catch (error) {
    const [line] = (error as Error).message.split('\n');
    throw new UsageError(`${called}: cannot be loaded: ${line}; mend the contract file`);
  } finally {
    scratch.remove();
  }
}

/** Throws a {@link UsageError} where a file does not export the step of its number. */
function checkedStep(value: unknown, file: string, called: string): Step<unknown> {
  const number = Number(file.slice(0, 2));
  const step = value as Partial<Step<unknown>> | undefined;
  if (!Array.isArray(step?.clauses) || step.number !== number)
    throw new UsageError(`${called}/${file}: write 'export default step(${number}, …)'`);
  if (step.clauses.length === 0)
    throw new UsageError(`${called}/${file}: has no clause; add '${number}.1 …'`);
  return value as Step<unknown>;
}
