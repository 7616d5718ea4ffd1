import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { judge } from '../harness/judge.ts';
import { projectFile } from '../harness/project.ts';
import { knownLab, labs } from '../harness/registry.ts';
import { Pretty } from '../harness/report/pretty.ts';
import type { Report } from '../harness/report/report.ts';
import { openScratch } from '../harness/scratch.ts';
import { findSubmission } from '../harness/subject/submission.ts';
import { type Attack, attacks, layOut, mark, secret } from './attacks/attacks.ts';
import { Watch } from './attacks/processes.ts';

/*
 * Hostile submissions are judged as they must be, in time; they leave nothing behind, they reach nothing, and the next
 * submission is judged as if there had been none.
 */

const scratch = openScratch();
const temp = path.join(scratch.folder, 'temp');
const server = createServer();

/** What the grader has around it, for an attack to look for. */
const environment = { TMPDIR: temp, LABCHECK_SECRET: secret };
const before = Object.fromEntries(Object.keys(environment).map((name) => [name, process.env[name]]));

let isolation: Report['isolation'];
beforeAll(async () => {
  mkdirSync(temp);
  Object.assign(process.env, environment);
  server.on('error', () => {}); // another run of this listens
  server.listen('\0labcheck-attack').unref();
  isolation = (await judged(honest.lab, honest.place, 2, 20)).isolation;
  // What compiles TypeScript is started once, and stays: it is the grader's own.
  await judged(honest.lab, projectFile('reference/idem-retention-lab/service.ts'), 2, 20);
});
afterAll(() => {
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  server.close();
  scratch.remove();
});

/** Seconds beyond its budget that a step may take: to start, to end all, to tell, and to take 100,000 files away, on a machine with much else to do. */
const tolerance = 60;
/** Attacks after which an honest submission is judged. */
const fewAttacks = 5;

const honest = {
  lab: 'idem-retention-lab',
  place: projectFile('reference/idem-retention-lab/service.py'),
};

function judged(lab: string, place: string, step: number, budget: number): Promise<Report> {
  return judge({
    ...{ lab: knownLab(lab), place, steps: [step], budget },
    ...{ seed: undefined, runs: undefined, interpreter: undefined },
    interrupted: new AbortController().signal,
    onClause: () => {},
  });
}

test('every attack can be laid out, and can be told from a wrong request', () => {
  for (const attack of attacks()) {
    const folder = path.join(mkdtempSync(path.join(scratch.folder, 'laid-')), attack.id);
    const place = layOut(attack, folder);
    const isMissing = attack.kinds.includes('missing') && attack.maker !== undefined;
    if (!isMissing) expect(findSubmission(place, knownLab(attack.lab).entry).status, attack.id).toBe('found');
    rmSync(path.dirname(folder), { recursive: true });
  }
});

describe.each(labs)('an attack on $id', (lab) => {
  const own = attacks().filter((attack) => attack.lab === lab.id);
  for (const [index, attack] of own.entries()) {
    const timeout = attack.steps.length * (attack.budget + 2 * tolerance) * 1000;
    test(`${attack.id}: ${attack.does}`, { timeout }, async ({ skip }) => {
      skip(attack.needsSandbox && isolation === 'process', 'needs a sandbox');
      await check(attack);
    });
    if ((index + 1) % fewAttacks === 0 || index === own.length - 1) {
      test(`does no harm to an honest submission after ${attack.id}`, async () => {
        expect(summary([await judged(honest.lab, honest.place, 2, 20)]).verdicts).toEqual(['passed']);
      });
    }
  }
});

async function check(attack: Attack): Promise<void> {
  const folder = path.join(mkdtempSync(path.join(scratch.folder, 'attack-')), attack.id);
  const place = layOut(attack, folder);
  const untouched = [path.dirname(folder), projectFile('harness'), projectFile('checks')];
  const files = untouched.map(listing);
  const watch = new Watch([scratch.folder]);
  const reports: Report[] = [];
  const seconds: number[] = [];
  try {
    for (const step of attack.steps) {
      const started = performance.now();
      // A grader that waits for what never ends is late, and hears that it has ended.
      const late = setTimeout(
        () => {
          for (const pid of watch.look().keys()) end(pid);
        },
        (attack.budget + tolerance) * 1000,
      );
      reports.push(await judged(attack.lab, place, step, attack.budget));
      clearTimeout(late);
      seconds.push((performance.now() - started) / 1000);
    }
  } finally {
    const left = await watch.left();
    for (const pid of left.keys()) end(pid);
    const marks = takeMarks(attack, folder, place);
    const after = untouched.map(listing);
    const remains = readdirSync(temp);
    rmSync(path.dirname(folder), { recursive: true, force: true });
    for (const name of remains) rmSync(path.join(temp, name), { recursive: true, force: true });
    expect.soft([...left.values()], 'processes that are left').toEqual([]);
    expect.soft(marks, 'files written outside').toEqual([]);
    expect.soft(after, 'the submission, what lies beside it, and the grader').toEqual(files);
    expect.soft(remains, 'temporary files').toEqual([]);
  }
  const { verdicts, kinds, faults } = summary(reports);
  // On a busy machine the step may end before a call has had all its time.
  const isSlow = attack.kinds.includes('timeout');
  expect.soft(faults.join('; '), 'faults of the grader').toBe('');
  expect
    .soft(verdicts.includes('failed') ? 'failed' : verdicts.join())
    .toBe(attack.verdict === 'failed' ? 'failed' : verdicts.map(() => 'passed').join());
  expect
    .soft(
      kinds.filter((kind) => !attack.kinds.includes(kind) && !(isSlow && kind === 'budget')),
      `kinds other than ${attack.kinds}`,
    )
    .toEqual([]);
  for (const taken of seconds) expect.soft(taken, 'seconds').toBeLessThan(attack.budget + tolerance);
  for (const report of reports) expectHarmless(report);
}

function summary(reports: readonly Report[]) {
  const clauses = reports.flatMap(({ steps }) => steps.flatMap((step) => step.clauses));
  return {
    verdicts: reports.map(({ verdict }) => verdict),
    kinds: [...new Set(clauses.flatMap(({ failure }) => (failure ? [failure.kind as string] : [])))],
    faults: [...reports, ...clauses].flatMap(({ fault }) => fault ?? []),
  };
}

/** Codes for a terminal, and characters that change how a line reads. Line feeds are the report's own. */
const codes = /[^\P{Cc}\n]|[\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\u061c\ud800-\udfff]/u;
/** What build services take for a command at the beginning of a line. */
const commands = /^\s*(?:::|##\[)/mu;

/** What is shown of a submission commands no terminal and no build, and holds nothing that only the grader knows. */
function expectHarmless(report: Report): void {
  const plain = new Pretty(knownLab(report.lab));
  const clauses = report.steps.flatMap((step) => step.clauses);
  const shown = [...clauses.map((clause) => plain.clause(clause)), plain.rest(report)].join('\n');
  const { submission, ...rest } = report; // the path is what it is
  for (const text of [shown, ...textsIn(rest)]) {
    expect.soft(places(text, codes).join(), 'codes for a terminal').toBe('');
    expect.soft(places(text, commands).join(), 'commands for a build').toBe('');
    expect.soft(text).not.toContain(secret);
  }
  expect.soft(submission).not.toContain(secret);
}

/** Where a text has it, each with what stands around it. */
function places(text: string, pattern: RegExp): string[] {
  const matches = [...text.matchAll(new RegExp(pattern, `${pattern.flags}g`))];
  return matches.map(({ index }) => JSON.stringify(text.slice(Math.max(0, index - 20), index + 20)));
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Every file below a folder: its kind and, of what can be read, its content. */
function listing(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  const visit = (place: Buffer) => {
    const stat = lstatSync(place);
    const name = `${place.subarray(folder.length).toString('latin1')} ${(stat.mode & 0o7777).toString(8)}`;
    found[name] = stat.isSymbolicLink()
      ? `link to ${readlinkSync(place)}`
      : stat.isDirectory()
        ? 'folder'
        : stat.isFile() && stat.size < 2 ** 30
          ? createHash('sha256').update(readFileSync(place)).digest('hex')
          : `${stat.size} bytes`;
    if (!stat.isDirectory()) return;
    for (const entry of readdirSync(place, { encoding: 'buffer' }))
      visit(Buffer.concat([place, Buffer.from('/'), entry]));
  };
  visit(Buffer.from(folder));
  return found;
}

/** The places to which the attack could write by its marks, which are removed. */
function takeMarks(attack: Attack, folder: string, place: string): string[] {
  const ofProject = ['', 'checks', 'dist', 'harness/subject', 'node_modules'].map(projectFile);
  const ofMachine = ['/', '/tmp', '/dev/shm', '/var/tmp', '/etc', '/usr/lib', '/root', homedir()];
  const places = [...ofProject, ...ofMachine, process.cwd(), temp, folder, path.dirname(folder), place];
  const marks = [...new Set(places)].map((each) => path.join(each, mark)).filter((each) => existsSync(each));
  for (const each of marks) rmSync(each, { force: true });
  return marks.map((each) => `${attack.id}: ${each}`);
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended by itself
  }
}
