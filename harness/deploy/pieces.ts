import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { globSync } from 'tinyglobby';
import { packageOf, projectFile, sqliteModule } from '../project.ts';
import { UsageError } from '../usage-error.ts';

/** A file to lay out: where it lies, and where it will, relative to the deployment. */
export interface Piece {
  readonly from: string;
  readonly to: string;
}

/** Packages that the bundle looks up when it grades: build.mjs leaves them out of it. */
const packages = ['better-sqlite3', 'esbuild', 'tmp-promise'];

const require = createRequire(import.meta.url);

/** All that grading resolves, and nothing else. Throws a {@link UsageError} where a part is not installed. */
export function piecesNeeded(): readonly Piece[] {
  return [...shipped(), ...bundle(), ...modules(), ...binaries()];
}

/** The Node that runs this. Throws a {@link UsageError} where it is not all of itself. */
export function nodePiece(): Piece {
  const parts = Object.entries(process.config.variables).filter(
    ([name, value]) => name.startsWith('node_shared') && value === true,
  );
  if (parts.length > 0) {
    throw new UsageError(
      `--with-node: ${process.execPath} is not whole without libraries of this system; run labcheck by a Node of nodejs.org`,
    );
  }
  return { from: realpathSync(process.execPath), to: path.join('node', 'bin', 'node') };
}

/** What the package has for its users, by the patterns of its package.json; the bundle is another matter. */
function shipped(): Piece[] {
  const { files } = JSON.parse(readFileSync(projectFile('package.json'), 'utf8')) as { files: string[] };
  const patterns = [...files.filter((pattern) => pattern !== 'dist'), 'package.json', 'LICENSE'];
  return globSync(patterns, { cwd: projectFile('.') }).map((to) => ({ from: projectFile(to), to }));
}

/** The bundle that runs now, or that of the project where its sources run. */
function bundle(): Piece[] {
  const here = fileURLToPath(import.meta.url);
  const folder = here.endsWith('.ts') ? projectFile('dist') : path.dirname(here);
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile()) // types are for whoever writes labs
    .map(({ name }) => ({ from: path.join(folder, name), to: path.join('dist', name) }));
}

/** The modules of the packages, as far as one loads the other, with what says whose they are. */
function modules(): Piece[] {
  const { metafile } = buildSync({
    entryPoints: packages.map((name) => require.resolve(name)),
    absWorkingDir: projectFile('.'),
    bundle: true,
    outdir: '.',
    write: false,
    metafile: true,
    platform: 'node',
    logLevel: 'silent',
  });
  const files = Object.keys(metafile.inputs)
    .filter((input) => !input.includes(':')) // what a bundler makes up has no file
    .map((input) => projectFile(input));
  const folders = [...new Set(files.map(packageOf))];
  return [...files, ...folders.flatMap(papersOf)].map(packagePiece);
}

function papersOf(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name === 'package.json' || /^licen[cs]e/i.test(name))
    .map((name) => path.join(folder, name));
}

/** What those modules load by names that they make up: SQLite, and the compiler of this system. */
function binaries(): Piece[] {
  const sqlite = path.join(packageOf(sqliteModule()), 'build', 'Release', 'better_sqlite3.node');
  const compiler = path.join('@esbuild', `${process.platform}-${process.arch}`);
  const requireThere = createRequire(require.resolve('esbuild'));
  try {
    const folder = path.dirname(requireThere.resolve(path.join(compiler, 'package.json')));
    const files = [sqlite, path.join(folder, 'bin', 'esbuild'), ...papersOf(folder)];
    if (files.every((file) => existsSync(file))) return files.map(packagePiece);
  } catch {
    // told below
  }
  throw new UsageError(`${sqlite} or ${compiler} is missing; run 'npm ci' where labcheck is installed`);
}

function packagePiece(file: string): Piece {
  const folder = packageOf(file);
  const { name } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as { name: string };
  return { from: file, to: path.join('node_modules', name, path.relative(folder, file)) };
}
