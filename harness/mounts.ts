import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { projectFile } from './project.ts';
import type { View } from './sandbox.ts';

/** Where programs and libraries of a system lie; some of these are links on some systems. */
const system = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store', '/gnu/store'];

/** What programs look up: libraries, time zone, names of users, configuration of OpenSSL. Nothing secret. */
const settings = [
  ...['ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'localtime', 'timezone', 'alternatives'],
  ...['passwd', 'group', 'nsswitch.conf', 'ssl/openssl.cnf', 'mime.types'],
].map((name) => path.join('/etc', name));

/** Data up to this size, a file or a folder, lie there as copies, which may be changed; so many at most. */
const copied = { bytes: 1 << 20, files: 200 };

/** What is judged is what was submitted: code cannot be changed. */
const code = /\.(?:py|[cm]?[jt]sx?)$/;

/**
 * What a sandbox sees of the file system, as arguments of bubblewrap: the system, what runs the submission, the
 * submission by its own path, and `folder`. Nothing else is there, and only `folder` and the copies of the submission's
 * own files can be written to. What goes to /tmp and /dev/shm goes to `folder`, too, where it is counted.
 */
export function mountsOf({ submission, at, programs, files }: View, folder: string): readonly string[] {
  const project = projectFile('.');
  const [temporary, shared, copy] = ['tmp', 'shm', 'submission'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const place of [temporary, shared, copy]) mkdirSync(place, { recursive: true });
  const homes = [...new Set(programs.flatMap(homesOf))];
  const masked = [...system, ...homes].some((each) => isWithin(project, each));
  return [
    ...system.filter((place) => existsSync(place)).flatMap(asItIs),
    ...settings.flatMap((place) => ['--ro-bind-try', place, place]),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...['--bind', temporary, '/tmp', '--bind', shared, '/dev/shm'],
    ...homes.flatMap(readOnly),
    ...(masked ? ['--tmpfs', project] : []),
    ...(at === undefined
      ? submissionAt(submission, copy, [project, path.dirname(folder)])
      : ['--bind', submission, at]),
    ...files.flatMap(readOnly),
    ...['--bind', folder, folder],
    ...(masked ? ['--remount-ro', project] : []),
    ...['--remount-ro', '/dev', '--remount-ro', '/'],
  ];
}

function readOnly(place: string): string[] {
  return ['--ro-bind', place, place];
}

/** A folder of the system, or the link that stands for it. */
function asItIs(place: string): string[] {
  return lstatSync(place).isSymbolicLink() ? ['--symlink', readlinkSync(place), place] : readOnly(place);
}

/** Whether `place` is `folder`, or lies in it. */
export function isWithin(place: string, folder: string): boolean {
  const relative = path.relative(folder, place);
  return relative === '' || !(relative.startsWith(`..${path.sep}`) || relative === '..');
}

/** What a program needs beside itself: for `…/bin/python3`, and for what that links to, `…` with its libraries. */
function homesOf(program: string): string[] {
  const homes: string[] = [];
  for (let file = program; ; ) {
    const folder = path.dirname(file);
    const home = path.basename(folder) === 'bin' ? path.dirname(folder) : file;
    if (home !== path.sep && !system.some((each) => isWithin(home, each))) homes.push(home);
    if (!lstatSync(file).isSymbolicLink()) return homes;
    const target = path.resolve(realpathSync(folder), readlinkSync(file));
    if (homes.length > 10) return homes;
    file = target;
  }
}

/**
 * The submission's folder by its own path. Its data are copies: a log that it writes beside its code is its affair, and the
 * files themselves stay as they are. Code, folders that hold some, and large files cannot be written to. What holds the
 * grader's own files is left out.
 */
function submissionAt(submission: string, copy: string, own: readonly string[]): string[] {
  const names = readdirSync(submission);
  // An argument is text: a name that is none cannot be given.
  if (names.length > copied.files || names.some((name) => name.includes('\ufffd'))) {
    const hidden = own.filter((each) => isWithin(each, submission)).flatMap((each) => ['--tmpfs', each]);
    return [...readOnly(submission), ...hidden];
  }
  const isRoot = submission === path.sep; // of which nothing but its files is the submission's
  const asTheyAre: string[] = [];
  for (const name of names) {
    const place = path.join(submission, name);
    if (own.some((each) => isWithin(each, place))) continue;
    const file = lstatSync(place);
    if (file.isSymbolicLink()) symlinkSync(readlinkSync(place), path.join(copy, name));
    else if (file.isDirectory() && isRoot) continue;
    else if (
      file.isDirectory() ? isData(place) : file.isFile() && !code.test(name) && file.size <= copied.bytes
    )
      cpSync(place, path.join(copy, name), { recursive: true });
    else if (file.isDirectory() || file.isFile()) asTheyAre.push(...readOnly(place));
  }
  return isRoot ? asTheyAre : ['--bind', copy, submission, ...asTheyAre];
}

/** Whether a folder holds no code, nothing but files and folders, and few of them; it is read no further than that. */
function isData(folder: string, left = { ...copied }): boolean {
  return readdirSync(folder, { withFileTypes: true }).every((entry) => {
    const place = path.join(folder, entry.name);
    left.files -= 1;
    if (entry.isDirectory()) return left.files >= 0 && isData(place, left);
    left.bytes -= entry.isFile() ? lstatSync(place).size : Number.POSITIVE_INFINITY;
    return left.files >= 0 && left.bytes >= 0 && !code.test(entry.name);
  });
}
