import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { parse } from 'yaml';
import { projectFile } from '../../harness/project.ts';

/** A hostile submission, and how it must be judged. */
export interface Attack {
  /** Also the name of its folder beside this file, in the folder of its lab. Unique in its lab. */
  readonly id: string;
  readonly lab: string;
  readonly steps: readonly number[];
  readonly does: string;
  readonly verdict: 'passed' | 'failed';
  /** The kinds that its failures may have. */
  readonly kinds: readonly string[];
  /** Seconds a step. */
  readonly budget: number;
  /** It does harm, or proves nothing, where nothing but a process of its own stands in its way. */
  readonly needsSandbox: boolean;
  readonly maker: Maker | undefined;
  /** What the maker is told. */
  readonly told: string;
}

/** Seconds a step. What may hang has all of it; what ends by itself has more than it needs on the busiest machine. */
const usualBudget = { hangs: 5, ends: 45 };

/** A text that only the grader knows. It stands in its environment, as LABCHECK_SECRET, and in a file of its user. */
export const secret = 'labcheck-secret-c0f5a1b2';

/** The name of the files by which attacks show that they could write to a place. */
export const mark = 'labcheck-attack-was-here';

const here = path.dirname(fileURLToPath(import.meta.url));

/** All attacks, in the order of attacks.yaml. Throws an Error that names the entry which is not as it should be. */
export function attacks(): readonly Attack[] {
  const labs = parse(readFileSync(path.join(here, 'attacks.yaml'), 'utf8')) as Record<string, Entry[]>;
  const all = Object.entries(labs).flatMap(([lab, entries]) => entries.map((entry) => attackOf(lab, entry)));
  for (const { id, lab } of all) {
    if (all.filter((other) => other.id === id && other.lab === lab).length > 1)
      throw new Error(`${lab}: ${id} stands twice`);
  }
  for (const lab of Object.keys(labs)) {
    const unknown = readdirSync(path.join(here, lab)).filter(
      (id) => !labs[lab]?.some((one) => one.id === id),
    );
    if (unknown.length > 0) throw new Error(`${lab}: no entry for the folder ${unknown.join(', ')}`);
  }
  return all;
}

/** An entry of attacks.yaml. */
interface Entry {
  readonly id: string;
  readonly steps: readonly number[];
  readonly does: string;
  readonly verdict: string;
  readonly kinds?: readonly string[];
  readonly needs?: string;
  readonly maker?: string;
  readonly with?: string;
}

const members = ['id', 'steps', 'does', 'verdict', 'kinds', 'needs', 'maker', 'with'];
const kindsOfFailure = 'contract crash timeout budget missing load memory processes output disk'.split(' ');

function attackOf(lab: string, entry: Entry): Attack {
  const { id, steps, does, verdict, kinds = [], needs, maker } = entry;
  const wrong = (what: string) => new Error(`${lab}: ${id}: ${what}`);
  const unknown = Object.keys(entry).filter((name) => !members.includes(name));
  if (unknown.length > 0) throw wrong(`there is no ${unknown.join(', ')}`);
  if (!Array.isArray(steps) || steps.length === 0) throw wrong('which steps?');
  if (verdict !== 'passed' && verdict !== 'failed') throw wrong(`the verdict ${verdict}`);
  if ((verdict === 'failed') !== kinds.length > 0) throw wrong('failures have kinds, and only they');
  if (!kinds.every((kind) => kindsOfFailure.includes(kind))) throw wrong(`one of the kinds ${kinds}`);
  if (needs !== undefined && needs !== 'sandbox') throw wrong(`it needs ${needs}`);
  if (maker !== undefined && !(maker in makers)) throw wrong(`there is no maker ${maker}`);
  if (!maker && !existsSync(path.join(here, lab, id))) throw wrong('it has neither a folder nor a maker');
  const mayHang = kinds.some((kind) => ['timeout', 'budget'].includes(kind));
  return {
    ...{ id, lab, steps, does, verdict, kinds, needsSandbox: needs === 'sandbox' },
    budget: usualBudget[mayHang ? 'hangs' : 'ends'],
    maker: maker === undefined ? undefined : makers[maker],
    told: entry.with ?? '',
  };
}

/**
 * Lays the submission out in a folder that is empty or not there yet, and returns what to submit. Files that are not
 * the submission's, but of which it knows, lie beside the folder: their names begin with that of the folder.
 */
export function layOut(attack: Attack, folder: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}.secret`, secret);
  copyFileSync(path.join(here, 'beside/attack.py'), path.join(folder, 'attack.py'));
  layHonest(attack, folder);
  const own = path.join(here, attack.lab, attack.id);
  if (existsSync(own)) cpSync(own, folder, { recursive: true });
  const hints = {
    project: projectFile('.').replace(/[/.]+$/, ''),
    home: homedir(),
    temp: tmpdir(),
    pid: process.pid,
    secret: `${folder}.secret`,
    victim: `${folder}.victim.db`,
  };
  writeFileSync(path.join(folder, 'hints.json'), JSON.stringify(hints));
  return attack.maker?.(folder, attack.told) ?? folder;
}

/** The reference as honest.py and honest.ts; in the lab of scripts also the files that its scripts made. */
function layHonest({ lab, id }: Attack, folder: string): void {
  const reference = projectFile(`reference/${lab}`);
  const copy = (from: string, to: string) => copyFileSync(path.join(reference, from), path.join(folder, to));
  if (lab === 'idem-retention-lab') {
    copy('service.py', 'honest.py');
    copy('service.ts', 'honest.ts');
    return;
  }
  for (const entry of readdirSync(reference, { withFileTypes: true })) {
    if (entry.isFile() && !entry.name.endsWith('.ts')) copy(entry.name, entry.name);
  }
  copy('idem_api.py', 'honest.py');
  copy('idem-api.ts', 'honest.ts');
  if (id.startsWith('js-')) rmSync(path.join(folder, 'idem_api.py'));
}

/** Adds to a folder what cannot lie in a repository. Returns what to submit, where it is not the folder. */
type Maker = (folder: string, told: string) => string | undefined;

/** A newline, quotes, an emoji, blanks, what a shell or a URL would take for more, and a leading dash. */
const oddName = `-rf "it's" \n\u{1F4A5}\t$(id) %41?#a&b;*[x] é\\n\u202e`;

const makers: Readonly<Record<string, Maker>> = {
  loops: (folder, told) => {
    const source = `from honest import *\n\n\ndef ${told}(*arguments, **options):\n    while True:\n        pass\n`;
    writeFileSync(path.join(folder, 'service.py'), source);
    return undefined;
  },
  fiftyMegabytes: (folder) => {
    appendFileSync(path.join(folder, 'service.py'), `# ${'x'.repeat(97)}\n`.repeat(500_000));
    return undefined;
  },
  inOddFolder: (folder) => {
    const odd = path.join(folder, oddName);
    mkdirSync(odd);
    for (const name of readdirSync(folder)) {
      const place = path.join(folder, name);
      if (place === odd) continue;
      copyFileSync(place, path.join(odd, name));
      rmSync(place);
    }
    return odd;
  },
  oddNames: (folder) => {
    const names = [
      oddName,
      '-c',
      '--version.py',
      '.hidden',
      'a b.py',
      "'; DROP TABLE keys; --.db",
      'service.py\n',
    ];
    for (const name of [...names, 'x'.repeat(250), '__pycache__', 'service', 'CON', '\u{1F4A5}.py'])
      writeFileSync(path.join(folder, name), 'raise SystemExit\n');
    execFileSync('bash', ['-c', `printf x > "$1"/$'\\xff\\xfe.py'`, 'bash', folder]); // no UTF-8
    return undefined;
  },
  linksOut: (folder) => {
    const links: Record<string, string> = {
      'checks-link': projectFile('checks'),
      'home-link': homedir(),
      'root-link': '/',
      'secret-link': `${folder}.secret`,
      'null-link': '/dev/null',
      'zero-link': '/dev/zero',
      'up-link': '..',
      'own-link': '.',
      'loop-link': 'loop-link',
      'broken-link': '/no/such/place',
    };
    for (const [name, target] of Object.entries(links)) symlinkSync(target, path.join(folder, name));
    return undefined;
  },
  /** Somebody's database, which has the table of the lab. */
  victim: (folder) => {
    const database = new Database(`${folder}.victim.db`);
    database.exec(`CREATE TABLE keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status TEXT NOT NULL,
  response TEXT, expires REAL NOT NULL)`);
    database.close();
    return undefined;
  },
  /** Told the name of a file, and what is in its place. */
  unreadable: (folder, told) => {
    const [name = '', what = ''] = told.split(' ');
    const place = path.join(folder, name);
    rmSync(place, { force: true });
    insteadOf[what]?.(place, folder);
    return undefined;
  },
  /** Told the name of a database, and the table that a view without end takes the place of. */
  endlessView: (folder, told) => {
    const [name = '', table = ''] = told.split(' ');
    const database = new Database(path.join(folder, name));
    const columns = database.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table);
    database.exec(`DROP TABLE ${table};
CREATE VIEW ${table}(${columns.join(', ')}) AS
WITH RECURSIVE endless(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM endless)
SELECT ${columns.map(() => 'n').join(', ')} FROM endless`);
    database.close();
    return undefined;
  },
};

const insteadOf: Readonly<Record<string, (place: string, folder: string) => void>> = {
  directory: (place) => mkdirSync(place),
  fifo: (place) => execFileSync('mkfifo', [place]),
  zero: (place) => symlinkSync('/dev/zero', place),
  loop: (place) => symlinkSync(place, place),
  secret: (place, folder) => symlinkSync(`${folder}.secret`, place),
  garbage: (place) => writeFileSync(place, '\u001b[2J\n::error file=x::no database\n'.repeat(500)),
  deep: (place) => writeFileSync(place, '['.repeat(100_000) + ']'.repeat(100_000)),
  /** It takes no room on the disk. */
  sparse: (place) => {
    writeFileSync(place, '');
    truncateSync(place, 2 ** 40);
  },
};
