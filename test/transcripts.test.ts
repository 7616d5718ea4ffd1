import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import stringWidth from 'string-width';
import { afterAll, expect, test } from 'vitest';
import { type Tongue, tongues } from '../harness/messages/texts.ts';
import { projectFile } from '../harness/project.ts';
import { openScratch } from '../harness/scratch.ts';

/*
 * What learners see, in every tongue: docs/transcripts. `npx vitest run test/transcripts.test.ts -u` writes it anew. Seconds, which no run
 * shares with another, are made alike, and clauses stand in the order of their ids.
 */

const scratch = openScratch();
afterAll(() => scratch.remove());

const run = promisify(execFile);
const right = readFileSync(projectFile('reference/idem-retention-lab/service.py'), 'utf8');

interface Run {
  readonly title: Readonly<Record<Tongue, string>>;
  readonly step: number;
  readonly source: string;
}

const runs: readonly Run[] = [
  {
    title: {
      en: 'All is well',
      ja: 'すべて正しいとき',
      ko: '모두 올바를 때',
      zh: '一切正确',
    },
    step: 4,
    source: right,
  },
  {
    title: {
      en: 'A clause is broken: a response is replayed at the instant it expires',
      ja: '契約違反: 期限の瞬間に応答を再生している',
      ko: '계약 위반: 만료되는 순간에 응답을 재생한다',
      zh: '违反契约：在到期的那一刻重放了响应',
    },
    step: 4,
    source: edited("status = 'done' AND expires > ?", "status = 'done' AND expires >= ?"),
  },
  {
    title: {
      en: 'Another connection comes in between',
      ja: '別の接続が割り込んだとき',
      ko: '다른 연결이 끼어들 때',
      zh: '另一个连接插了进来',
    },
    step: 3,
    source: right.replace(/def finish[\s\S]*?(?=\ndef )/, finishInTwoSteps()),
  },
  {
    title: {
      en: 'The file cannot be loaded',
      ja: 'ファイルを読み込めないとき',
      ko: '파일을 불러올 수 없을 때',
      zh: '文件无法加载',
    },
    step: 2,
    source: edited('def reserve(', 'def reserve('.slice(0, -1)),
  },
  {
    title: {
      en: 'A function is missing',
      ja: '関数がないとき',
      ko: '함수가 없을 때',
      zh: '缺少函数',
    },
    step: 2,
    source: edited('def reserve(', 'def reserve_key('),
  },
  {
    title: {
      en: 'The process ends within a call',
      ja: '呼び出しの途中でプロセスが終わるとき',
      ko: '호출 도중에 프로세스가 끝날 때',
      zh: '进程在调用中途结束',
    },
    step: 7,
    source: `${right}\nimport os\ndef counts(path):\n    os._exit(0)\n`,
  },
];

/** The correct submission with one change in it. */
function edited(anchor: string, replacement: string): string {
  expect(right.split(anchor)).toHaveLength(2);
  return right.replace(anchor, replacement);
}

function finishInTwoSteps(): string {
  return `def finish(path, key, digest, response):
    with connect(path) as db:
        row = db.execute("SELECT status, fingerprint FROM keys WHERE id = ?", (key,)).fetchone()
        if row != ("pending", digest):
            return False
        db.execute("UPDATE keys SET status = 'done', response = ? WHERE id = ?", (json.dumps(response), key))
        return True

`;
}

test.each(tongues)('the transcripts in %s are what is printed', { timeout: 120_000 }, async (tongue) => {
  const told: string[] = [];
  for (const each of runs) told.push(`## ${each.title[tongue]}\n\n${await transcript(each, tongue)}`);
  const heading = { en: 'Transcripts', ja: '実行例', ko: '실행 예', zh: '运行示例' }[tongue];
  await expect(`# ${heading}\n\n${told.join('\n')}`).toMatchFileSnapshot(`../docs/transcripts/${tongue}.md`);
});

async function transcript({ step, source }: Run, tongue: Tongue): Promise<string> {
  const folder = path.join(mkdtempSync(path.join(scratch.folder, 'transcript-')), 'lab');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'service.py'), source);
  const args = ['grade', 'idem-retention-lab', '--submission', folder, '--step', `${step}`, '--seed', '1'];
  const environment = { ...process.env, LC_ALL: `${tongue}.UTF-8`, NO_COLOR: '1' };
  const { stdout, code } = await run(process.execPath, [projectFile('dist/cli.js'), ...args], {
    env: environment,
  }).then(
    ({ stdout }) => ({ stdout, code: 0 }),
    (error: { stdout: string; code: number }) => error,
  );
  rmSync(path.dirname(folder), { recursive: true });
  expect(code).toBe(source === right ? 0 : 1);
  const text = inOrder(alike(stdout.replaceAll(folder, '~/work/idem-retention-lab')));
  const words = text.split(/^ {2}\S.*\n {4}#/m)[0] ?? '';
  for (const line of words.split('\n').filter((each) => !/^ {4}/.test(each)))
    expect(stringWidth(line), line).toBeLessThanOrEqual(80);
  const command = `bash /opt/lab/checks/idem-retention-lab/0${step}-contract.sh`;
  return `\`\`\`\`text\n$ ${command}\n${text}$ echo $?\n${code}\n\`\`\`\`\n`;
}

/** Seconds, and cases a second. */
function alike(text: string): string {
  return text
    .replace(/\d+\.\d+(?=( s| 秒|초)\b|( s| 秒|초))/g, '0.1')
    .replace(/\(\d+ a second\)|（毎秒 \d+ ケース）|\(초당 \d+개\)|（每秒 \d+ 个）/g, (rate) =>
      rate.replace(/\d+/, '1000'),
    );
}

/** Clauses are told as they end; here they are in the order of their ids. */
function inOrder(text: string): string {
  const [clauses = '', ...rest] = text.split(/^(?=\n|idem-)/m);
  const sorted = clauses.split(/^(?=\S )/m).sort((a, b) => a.slice(2).localeCompare(b.slice(2)));
  return [...sorted, ...rest].join('');
}

test.each(tongues)('the guide for learners in %s shows what is printed', (tongue) => {
  const linesOf = (file: string) =>
    readFileSync(projectFile(`docs/${file}/${tongue}.md`), 'utf8').split('\n');
  const guide = linesOf('learners');
  const shown = guide.slice(guide.indexOf('```text') + 1, guide.indexOf('```'));
  const printed = linesOf('transcripts').join('\n');
  expect(shown.length).toBeGreaterThan(10);
  expect(printed).toContain(shown.join('\n'));
});
