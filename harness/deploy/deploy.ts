import { spawnSync } from 'node:child_process';
import { readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { AnyLab } from '../registry.ts';
import { roomAt } from '../room.ts';
import { GraderFault } from '../subject/subject.ts';
import { UsageError } from '../usage-error.ts';
import { nodePiece, type Piece, piecesNeeded } from './pieces.ts';
import { current, isTaken, leadTo, newRelease, openFolder, use } from './release.ts';

export interface Order {
  /** The folder of `lab` and `fixtures`. */
  readonly prefix: string;
  readonly labs: readonly AnyLab[];
  readonly withNode: boolean;
}

/** What was laid out: folders by their paths, sizes in bytes. */
export interface Deployment {
  /** The commands of each lab, and its starter files where it has some. */
  readonly folders: readonly string[];
  /** What both need. */
  readonly release: string;
  readonly size: number;
  /** The size of the Node that was brought along. */
  readonly nodeSize: number | undefined;
}

/**
 * Lays the labs out so that the commands of their texts work: `PREFIX/lab/checks/LAB/NN-contract.sh`, and the starter files
 * in `PREFIX/fixtures/ten_labs/LAB`. Throws a {@link UsageError} where the folder cannot take them, a {@link GraderFault}
 * where they do not work there; then what was there before still is.
 */
export function deploy({ prefix, labs, withNode }: Order): Deployment {
  const node = withNode ? nodePiece() : undefined;
  const pieces = [...piecesNeeded(), ...(node ? [node] : [])];
  const size = sizeOf(pieces);
  try {
    const lab = opened(prefix, 'lab');
    const links = linksOf(prefix, labs, pieces);
    refuseTaken(prefix, [path.join(lab, current), ...links.map(([link]) => link)]);
    if (roomAt(lab).bytes < size) throw noRoom(prefix, size);
    const release = use(
      newRelease(lab, pieces, (folder) =>
        tried(folder, node ? path.join(folder, node.to) : process.execPath),
      ),
    );
    for (const [link, place] of links) leadTo(path.join(release, place), link);
    return {
      ...{ folders: links.map(([link]) => link), release, size },
      nodeSize: node && sizeOf([node]),
    };
  } catch (error) {
    throw refusal(prefix, size, error as NodeJS.ErrnoException);
  }
}

/** The paths that the labs' texts name, each with the folder of a release that it leads to. */
function linksOf(
  prefix: string,
  labs: readonly AnyLab[],
  pieces: readonly Piece[],
): readonly (readonly [string, string])[] {
  const checks = opened(prefix, 'lab', 'checks');
  const fixtures = opened(prefix, 'fixtures', 'ten_labs');
  return labs.flatMap(({ id }) => {
    const starter = path.join('reference', id, 'starter');
    const hasStarter = pieces.some(({ to }) => path.dirname(to) === starter);
    const commands = [path.join(checks, id), path.join('checks', id)] as const;
    return hasStarter ? [commands, [path.join(fixtures, id), starter] as const] : [commands];
  });
}

/** The folder, which is made where it is not there, by the path that it has without links. */
function opened(...names: [string, ...string[]]): string {
  const folder = path.resolve(...names);
  openFolder(folder);
  return realpathSync(folder);
}

function refuseTaken(prefix: string, links: readonly string[]): void {
  const taken = links.find(isTaken);
  if (taken) throw new UsageError(`--prefix ${prefix}: ${taken} is no deployment's; move it away first`);
}

/** Starts what was laid out: SQLite and the compiler have to work by this Node. Throws a {@link GraderFault}. */
function tried(release: string, node: string): void {
  const compile = "require('esbuild').transformSync('')";
  for (const args of [
    [path.join('dist', 'cli.js'), 'list'],
    ['-e', compile],
  ]) {
    const { status, stderr, error } = spawnSync(node, args, { cwd: release, encoding: 'utf8' });
    if (status === 0) continue;
    const reason = error?.message ?? stderr.trim().split('\n').at(-1);
    throw new GraderFault(`what was laid out does not work, and was removed: ${reason}`);
  }
}

/** Codes of what a user can mend. */
const unwritable = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT', 'ELOOP'];

function refusal(prefix: string, size: number, error: NodeJS.ErrnoException & { dest?: string }): Error {
  const { code = '', dest, path: place } = error;
  if (['ENOSPC', 'EDQUOT'].includes(code)) return noRoom(prefix, size);
  if (!unwritable.includes(code)) return error;
  return new UsageError(
    `--prefix ${prefix}: ${dest ?? place} cannot be written (${code}); name a folder in which this user may make others`,
  );
}

function noRoom(prefix: string, size: number): UsageError {
  return new UsageError(`--prefix ${prefix}: there is no room; a deployment takes ${mebibytes(size)}`);
}

function sizeOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { from }) => sum + statSync(from).size, 0);
}

/** What to tell whoever deployed. */
export function told({ folders, release, size, nodeSize }: Deployment): string {
  const lines = [
    ...folders.map((folder) => [folder, fromTo(readdirSync(folder))] as const),
    [release, mebibytes(size) + (nodeSize ? `, ${mebibytes(nodeSize)} of them Node` : '')] as const,
  ];
  const widest = Math.max(...lines.map(([place]) => place.length));
  const [first = ''] = folders;
  const [command = ''] = readdirSync(first);
  const [major] = process.version.split('.');
  return [
    ...lines.map(([place, what]) => `${place.padEnd(widest)}  ${what}`),
    '',
    `Learners run    bash ${path.join(first, command)}`,
    `or              ${path.join(release, 'bin', 'labcheck')}`,
    `It needs        Python 3.8 or newer${nodeSize ? '' : `, Node ${major} and no other on PATH`}, and bubblewrap where submissions are not trusted`,
  ].join('\n');
}

function fromTo(names: readonly string[]): string {
  return names.length > 2 ? `${names[0]} … ${names.at(-1)}` : names.join(' ');
}

function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
