import { execFile } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectFile } from '../harness/project.ts';
import type { Report } from '../harness/report/report.ts';
import { onPath } from '../harness/subject/interpreter.ts';
import { cli, run } from './labcheck.ts';
import { python3 } from './submissions.ts';

/*
 * Deployments as learners meet them: at /opt, read-only, without network, npm and the project, by a user who owns nothing
 * there. What the labs' texts say is run word for word.
 */

const retention = 'idem-retention-lab';
const transfer = 'idem-transfer-lab';
const folder = mkdtempSync(path.join(tmpdir(), 'deployments-'));
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true }));

const whole = path.join(folder, 'with-node');
const light = path.join(folder, 'without-node');

beforeAll(async () => {
  await withStrictUmask(['deploy', '--prefix', whole, '--with-node']);
  await withStrictUmask(['deploy', '--prefix', light]);
});

/** Runs a command line whose new files nobody else may read, unless it says so. */
function withStrictUmask(args: readonly string[]): Promise<Ended> {
  return ended('/bin/sh', ['-c', 'umask 077; exec "$0" "$@"', process.execPath, cli, ...args]);
}

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function ended(file: string, args: readonly string[], options: object = {}): Promise<Ended> {
  return new Promise((resolve) =>
    execFile(file, args, options, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout: String(stdout), stderr: String(stderr) }),
    ),
  );
}

// ---- a learner's machine

/** The user and group of those who own nothing; where we are not root, we are such a user ourselves. */
const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/** A Python that this user, too, can start. */
const python = ['/usr/bin/python3', python3].find((file) => existsSync(file)) ?? python3;

class Machine {
  readonly home = mkdtempSync(path.join(folder, 'home-'));
  readonly #programs = mkdtempSync(path.join(folder, 'programs-'));
  readonly #prefix: string;

  /** `others` are programs on PATH beside Python and those that a shell needs. */
  constructor(prefix: string, others: Readonly<Record<string, string>> = {}) {
    this.#prefix = prefix;
    const usual = ['bash', 'sh', 'env', 'dirname', 'readlink', 'mkdir', 'cp', 'cat', 'ls', 'touch', 'rm'];
    const programs = {
      ...Object.fromEntries(usual.map((name) => [name, onPath(name)])),
      python3: python,
      ...others,
    };
    for (const [name, file] of Object.entries(programs)) {
      if (file) symlinkSync(realpathSync(file), path.join(this.#programs, name));
    }
    chmodSync(this.#programs, 0o755);
    if (nobody.uid !== undefined) chownSync(this.home, nobody.uid, nobody.gid);
  }

  /** Puts files into the learner's home, which is /root. */
  write(files: Readonly<Record<string, string | Buffer>>): this {
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(this.home, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    if (nobody.uid !== undefined) {
      for (const name of readdirSync(this.home, { recursive: true, encoding: 'utf8' }))
        chownSync(path.join(this.home, name), nobody.uid, nobody.gid);
    }
    return this;
  }

  /** Runs commands as a learner types them. */
  bash(commands: string): Promise<Ended> {
    const hidden = ['/usr/bin/node', '/usr/bin/npm', '/usr/local/bin/node', '/usr/local/bin/npm'].filter(
      (file) => existsSync(file),
    );
    const visible = this.#visible(hidden);
    return ended(
      onPath('bwrap') ?? 'bwrap',
      [
        ...['--unshare-all', '--die-with-parent', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
        ...['/usr', '/bin', '/sbin', '/lib', '/lib64'].flatMap(asItIs),
        ...[
          '--ro-bind-try',
          '/etc/ld.so.cache',
          '/etc/ld.so.cache',
          '--ro-bind',
          '/etc/passwd',
          '/etc/passwd',
        ],
        ...visible.flatMap((file) => ['--ro-bind', '/dev/null', file]),
        ...['--ro-bind', this.#prefix, '/opt', '--ro-bind', this.#programs, '/programs'],
        ...['--bind', this.home, '/root', '--chdir', '/', '--remount-ro', '/dev', '--remount-ro', '/'],
        ...['bash', '-c', commands],
      ],
      { env: { PATH: '/programs', HOME: '/root' }, cwd: '/', ...nobody },
    );
  }

  /** Those of the files that no program of this machine is. */
  #visible(files: readonly string[]): readonly string[] {
    const programs = readdirSync(this.#programs).map((name) => readlinkSync(path.join(this.#programs, name)));
    return files.filter((file) => !programs.includes(realpathSync(file)) && lstatSync(file).isFile());
  }

  step(lab: string, step: number, options = ''): Promise<Ended> {
    return this.bash(`bash /opt/lab/checks/${lab}/0${step}-contract.sh ${options}`);
  }
}

/** A folder of the system, or the link that stands for it. */
function asItIs(place: string): string[] {
  if (!existsSync(place)) return [];
  return lstatSync(place).isSymbolicLink()
    ? ['--symlink', readlinkSync(place), place]
    : ['--ro-bind', place, place];
}

/** The commands of the text of idem-retention-lab. */
const preparation = `
mkdir -p /root/work/idem-retention-lab
test -e /root/work/idem-retention-lab/service.py || cp /opt/fixtures/ten_labs/idem-retention-lab/service.py /root/work/idem-retention-lab/service.py
cd /root/work/idem-retention-lab
`;

const service = `work/${retention}/service.py`;
const right = readFileSync(projectFile(`reference/${retention}/service.py`), 'utf8');
const wrong = right.replace('expires > ?', 'expires >= ?');
const rightTypeScript = readFileSync(projectFile(`reference/${retention}/service.ts`), 'utf8');

// ---- the labs

describe.concurrent('idem-retention-lab, as its text says:', () => {
  test('the machine has no node, no npm and no project', async () => {
    const machine = new Machine(whole);
    const look = `command -v node npm; ls ${projectFile('.')}; cat /proc/net/route; touch /opt/x`;
    const { stdout } = await machine.bash(look);
    expect(stdout).not.toMatch(/node|npm|checks|eth/);
    expect(existsSync(path.join(whole, 'x'))).toBe(false);
  });

  test('the preparation brings the starter file, which is judged', async () => {
    const machine = new Machine(whole);
    const { code, stderr } = await machine.bash(preparation);
    expect([code, stderr]).toStrictEqual([0, '']);
    expect(readFileSync(path.join(machine.home, service))).toStrictEqual(
      readFileSync(projectFile(`reference/${retention}/starter/service.py`)),
    );
    const first = await machine.step(retention, 1);
    expect([first.code, first.stderr]).toStrictEqual([
      1,
      expect.stringMatching(/^labcheck: no sandbox.*\n$/),
    ]);
    expect(first.stdout).toMatch(/^✗ 1\.1 /m);
  });

  test('the preparation leaves a file alone that is there', async () => {
    const machine = new Machine(whole).write({ [service]: 'mine' });
    expect((await machine.bash(preparation)).code).toBe(0);
    expect(readFileSync(path.join(machine.home, service), 'utf8')).toBe('mine');
  });

  test('a right submission passes every step within its 45 s', { timeout: 400_000 }, async () => {
    const machine = new Machine(whole).write({ [service]: right });
    for (const step of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const { code, stdout } = await machine.step(retention, step, '--format json');
      const report = JSON.parse(stdout) as Report;
      expect([code, report.verdict, report.steps.map((each) => each.step)]).toStrictEqual([
        0,
        'passed',
        [step],
      ]);
      expect(report.seconds).toBeLessThan(45);
    }
  });

  test('a wrong submission fails, and one that cannot be loaded', async () => {
    const machine = new Machine(whole).write({ [service]: wrong });
    expect((await machine.step(retention, 4)).code).toBe(1);
    machine.write({ [service]: 'def fetch(path, key, now:\n' });
    const broken = await machine.step(retention, 4, '--format json');
    const report = JSON.parse(broken.stdout) as Report;
    expect([broken.code, report.steps[0]?.clauses[0]?.failure?.kind]).toStrictEqual([1, 'load']);
  });

  test('TypeScript is compiled and run, right and wrong', async () => {
    const machine = new Machine(whole).write({ [service.replace('.py', '.ts')]: rightTypeScript });
    expect((await machine.step(retention, 4)).code).toBe(0);
    const wrong = rightTypeScript.replace('expires > ?', 'expires >= ?');
    expect(wrong).not.toBe(rightTypeScript);
    machine.write({ [service.replace('.py', '.ts')]: wrong });
    expect((await machine.step(retention, 4)).code).toBe(1);
  });

  test('with bubblewrap on PATH a submission runs in it, or one line says why not', async () => {
    const machine = new Machine(whole, { bwrap: onPath('bwrap') ?? '' }).write({ [service]: right });
    const { code, stdout, stderr } = await machine.step(retention, 1, '--format json');
    const { isolation, verdict } = JSON.parse(stdout) as Report;
    expect([code, verdict]).toStrictEqual([0, 'passed']);
    expect(stderr).toMatch(isolation === 'bubblewrap' ? /^$/ : /^labcheck: no sandbox.*\n$/);
  });

  test('wrong use is told so', async () => {
    const { code, stderr } = await new Machine(whole).step(retention, 1);
    expect([code, stderr]).toStrictEqual([2, expect.stringMatching(/^labcheck: --submission \/root.*\n$/)]);
  });

  test('labcheck itself can be called, by a link, too', async () => {
    const machine = new Machine(whole);
    symlinkSync('/opt/lab/labcheck/bin/labcheck', path.join(machine.home, 'check'));
    const { code, stdout } = await machine.bash('/opt/lab/labcheck/bin/labcheck list && /root/check list');
    expect([code, stdout.match(/idem-retention-lab/g)]).toStrictEqual([
      0,
      expect.arrayContaining([retention]),
    ]);
  });
});

describe.concurrent('idem-transfer-lab, as its text says:', () => {
  const reference = projectFile(`reference/${transfer}`);
  const files = Object.fromEntries(
    readdirSync(reference)
      .filter((name) => /\.(?:py|db|json|md)$/.test(name))
      .map((name) => [path.join('idem', name), readFileSync(path.join(reference, name))]),
  );

  test('its folder fills up step by step: what is not there yet fails', async () => {
    const machine = new Machine(whole);
    expect((await machine.bash('mkdir -p /root/idem')).code).toBe(0);
    expect((await machine.step(transfer, 1)).code).toBe(1);
  });

  test('a right submission passes, by its scripts and by its files', async () => {
    const machine = new Machine(whole).write(files);
    const codes = [];
    for (const step of [1, 2, 3, 4, 5, 6, 7, 8])
      codes.push((await machine.step(transfer, step, '--runs 2')).code);
    expect(codes).toStrictEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });

  test('a wrong one fails, and one that cannot be loaded', async () => {
    const api = String(files['idem/idem_api.py']);
    const machine = new Machine(whole).write({ ...files, 'idem/idem_api.py': `${api.slice(0, 100)}\n(` });
    expect((await machine.step(transfer, 3, '--runs 2')).code).toBe(1);
    machine.write({ 'idem/dup_report.json': '{}' });
    expect((await machine.step(transfer, 2)).code).toBe(1);
  });
});

// ---- Node

describe.concurrent('a deployment without Node', () => {
  test('takes that on PATH', async () => {
    const machine = new Machine(light, { node: process.execPath }).write({ [service]: right });
    expect((await machine.step(retention, 1)).code).toBe(0);
  });

  test('says so in a line where there is none', async () => {
    const { code, stdout, stderr } = await new Machine(light).write({ [service]: right }).step(retention, 1);
    expect([code, stdout, stderr]).toStrictEqual([3, '', expect.stringMatching(/^labcheck: .*node.*\n$/)]);
  });

  test('says so in a line where it is not the one that SQLite was compiled for: no verdict', async () => {
    const other = path.join(folder, 'other-node');
    cpSync(light, other, { recursive: true, verbatimSymlinks: true });
    const binding = 'lab/labcheck/node_modules/better-sqlite3/build/Release/better_sqlite3.node';
    writeFileSync(path.join(other, binding), 'of another Node');
    const machine = new Machine(other, { node: process.execPath }).write({ [service]: right });
    const { code, stdout, stderr } = await machine.step(retention, 1);
    expect([code, stdout]).toStrictEqual([3, '']);
    expect(stderr).toMatch(/^labcheck: better-sqlite3 .*\n$/);
  });
});

test('the Node that was brought along goes before that on PATH', async () => {
  const machine = new Machine(whole, { node: onPath('false') ?? '/bin/false' }).write({ [service]: right });
  expect((await machine.step(retention, 1)).code).toBe(0);
});

// ---- deploying

describe('to deploy', () => {
  const releases = (prefix: string) =>
    readdirSync(path.join(prefix, 'lab')).filter((name) => name.startsWith('labcheck-'));

  test('lets everybody read all of it, whatever the umask', () => {
    for (const place of readdirSync(whole, { recursive: true, encoding: 'utf8' })) {
      const { mode } = statSync(path.join(whole, place));
      expect([place, (mode & 0o777).toString(8)]).toStrictEqual([
        place,
        expect.stringMatching(/^(?:755|644)$/),
      ]);
    }
    accessSync(path.join(whole, 'lab/labcheck/node/bin/node'), constants.X_OK);
    expect(existsSync(path.join(light, 'lab/labcheck/node'))).toBe(false);
  });

  test('again puts the new one in the place of the old, and leaves alone what is of others', async () => {
    const prefix = path.join(folder, 'again');
    const others = [
      'lab/checks/of-others/01-contract.sh',
      'fixtures/ten_labs/of-others/service.py',
      'lab/notes',
    ];
    for (const name of others) {
      mkdirSync(path.dirname(path.join(prefix, name)), { recursive: true });
      writeFileSync(path.join(prefix, name), name);
    }
    mkdirSync(path.join(prefix, 'lab', 'labcheck-unfinished'));
    const told = await run(['deploy', '--prefix', prefix]);
    expect([told.code, told.stderr, releases(prefix)]).toStrictEqual([0, '', [expect.any(String)]]);
    const [first] = releases(prefix);
    writeFileSync(path.join(prefix, 'lab/labcheck/dist/cli.js'), 'spoilt');
    const commands = (lab: string) => readdirSync(path.join(prefix, 'lab', 'checks', lab));
    for (let again = 0; again < 2; again++) {
      expect((await run(['deploy', '--prefix', prefix, retention])).code).toBe(0);
      expect(releases(prefix)).toHaveLength(2); // with the one before, for gradings that are under way
      expect([commands(retention).length, commands(transfer).length]).toStrictEqual([8, 8]);
    }
    expect(releases(prefix)).not.toContain(first);
    for (const name of others) expect(readFileSync(path.join(prefix, name), 'utf8')).toBe(name);
    const { stdout } = await ended(path.join(prefix, 'lab/labcheck/bin/labcheck'), ['list']);
    expect(stdout).toContain(retention);
  });

  test('one lab lays out no other', async () => {
    const prefix = path.join(folder, 'one');
    expect((await run(['deploy', retention, '--prefix', prefix])).code).toBe(0);
    expect(readdirSync(path.join(prefix, 'lab', 'checks'))).toStrictEqual([retention]);
    expect(readdirSync(path.join(prefix, 'fixtures', 'ten_labs'))).toStrictEqual([retention]);
  });

  test.each([
    ['nowhere', ['deploy'], /--prefix/],
    ['an unknown lab', ['deploy', 'idem-other-lab', '--prefix', path.join(folder, 'x')], /idem-other-lab/],
    ['below a file', ['deploy', '--prefix', '/etc/passwd/opt'], /--prefix \/etc\/passwd\/opt: .*ENOTDIR/],
    ['where no folder can be made', ['deploy', '--prefix', '/proc'], /--prefix \/proc: .*ENOENT/],
  ])('%s is wrong use, told in a line', async (_, args, message) => {
    const { code, stdout, stderr } = await run(args);
    expect([code, stdout, stderr.trimEnd().split('\n')]).toStrictEqual([
      2,
      '',
      [expect.stringMatching(message)],
    ]);
  });

  test('over what is no deployment is refused', async () => {
    const prefix = path.join(folder, 'taken');
    const own = path.join(prefix, 'lab/checks', retention);
    mkdirSync(own, { recursive: true });
    const { code, stderr } = await run(['deploy', '--prefix', prefix]);
    expect([code, stderr]).toStrictEqual([2, expect.stringMatching(/^labcheck: --prefix .*\n$/)]);
    expect([stderr.includes(own), releases(prefix)]).toStrictEqual([true, []]);
  });

  test.each([
    ['8 MiB of room', ['--size', String(8 << 20), '--tmpfs'], /room.*MiB/],
    ['a read-only folder', ['--tmpfs'], /EROFS/, ['--remount-ro']],
  ])('to %s is told in a line, and leaves nothing', async (_, mount, message, remount: string[] = []) => {
    const place = path.join(folder, 'mounted');
    mkdirSync(place, { recursive: true });
    const command = `"$0" "$1" deploy --prefix ${place} || { code=$?; find ${place} -name 'labcheck*'; exit $code; }`;
    const { code, stdout, stderr } = await ended('bwrap', [
      ...['--dev-bind', '/', '/', ...mount, place, ...remount.flatMap((option) => [option, place])],
      ...['/bin/sh', '-c', command, process.execPath, cli],
    ]);
    expect([code, stdout, stderr.trimEnd().split('\n')]).toStrictEqual([
      2,
      '',
      [expect.stringMatching(message)],
    ]);
  });
});
