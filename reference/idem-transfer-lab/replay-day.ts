/** Sends the whole day of idem.db through idem-api: day.db, result.json and idem_report.md. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { type Answer, connect, handle } from './idem-api.ts';

interface Result {
  readonly requests: number;
  readonly created: number;
  readonly replayed: number;
  readonly rejected: number;
  readonly transfers: number;
  readonly total_transferred: number;
  readonly v1_total: number;
  readonly double_paid_avoided: number;
}

function here(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** A new day.db with the accounts as they were in the morning. */
function layOutDay(log: Database.Database, file: string): void {
  rmSync(file, { force: true }); // SQLite itself removes what a file that is gone left beside it
  const day = new Database(file);
  day.exec('CREATE TABLE account(acct_id TEXT PRIMARY KEY, holder TEXT NOT NULL, balance INTEGER NOT NULL)');
  const insert = day.prepare('INSERT INTO account(acct_id, holder, balance) VALUES (?, ?, ?)');
  const accounts = log.prepare('SELECT acct_id, holder, balance FROM account').raw().all();
  const fill = day.transaction(() => {
    for (const account of accounts) insert.run(account);
  });
  fill();
  day.close();
}

/** Sends every request, in the order of arrival. */
function replay(log: Database.Database, day: Database.Database): Answer[] {
  const requests = log
    .prepare('SELECT client_id, endpoint, idem_key, body FROM req_log ORDER BY seq')
    .all() as { body: string }[];
  return requests.map((request) => handle(day, { ...request, body: JSON.parse(request.body) }));
}

function measure(log: Database.Database, day: Database.Database, answers: readonly Answer[]): Result {
  const [transfers, total] = day
    .prepare('SELECT COUNT(*), COALESCE(SUM(amount), 0) FROM transfer')
    .raw()
    .get() as [number, number];
  const v1Total = log.prepare('SELECT COALESCE(SUM(amount), 0) FROM transfer_v1').pluck().get() as number;
  return {
    requests: answers.length,
    created: answers.filter(({ status, replay }) => status === 201 && !replay).length,
    replayed: answers.filter(({ replay }) => replay).length,
    rejected: answers.filter(({ status, replay }) => status !== 201 && !replay).length,
    transfers,
    total_transferred: total,
    v1_total: v1Total,
    double_paid_avoided: v1Total - total,
  };
}

function report(result: Result, uniqueKeys: number, retentionHours: number): string {
  const won = (amount: number) => `${amount.toLocaleString('en-US')}원`;
  return `# 이중 송금 방지 보고서

## 무엇이 잘못됐나

하루 동안 들어온 요청 ${result.requests}건 가운데 서로 다른 키는 ${uniqueKeys}개뿐이었다. 응답을 받지 못한 클라이언트가 같은 요청을 다시 보냈고,
이전 시스템은 요청마다 송금을 만들었다. 그 결과 송금 ${result.requests}건, 합계 ${won(result.v1_total)}이 나갔다.

## 어떻게 막았나

키를 먼저 선점하고(in_progress) 송금과 응답 저장을 다른 트랜잭션에서 한 번에 끝냈다(completed). 키의 범위는
(client_id, endpoint, idem_key)이고 기본 키 제약이 두 번째 선점을 막는다. 같은 하루를 다시 흘려보내니 새 실행 ${result.created}건,
재생 ${result.replayed}건, 거절 ${result.rejected}건이었다. 송금은 ${result.transfers}건, 합계 ${won(result.total_transferred)}이며,
막아 낸 금액은 ${won(result.double_paid_avoided)}이다.

## 남은 위험

- 선점한 뒤 죽은 요청의 키는 in_progress로 남는다. 자동으로 풀지 않으므로 사람이 송금 여부를 확인해야 한다.
- 클라이언트가 재시도마다 새 키를 만들면 이 층은 막을 수 없다.
- 보관 기간이 지난 뒤의 재시도는 새 요청으로 실행된다.

## 운영 규칙

- 완료된 키는 ${retentionHours}시간 보관하고 \`--purge-before\`로 지운다. 클라이언트의 재시도 한도는 그보다 짧아야 한다.
- 같은 키에 본문이 다르면 422, 처리 중인 키에는 409로 답한다.
- in_progress로 오래 남은 키는 매일 목록을 뽑아 원장과 대조한다.
`;
}

const policy = JSON.parse(readFileSync(here('policy.json'), 'utf8')) as { retention_hours: number };
// Stryker disable next-line ObjectLiteral,BooleanLiteral: without idem.db there is nothing to replay
const log = new Database(here('idem.db'), { fileMustExist: true });
layOutDay(log, here('day.db'));
const day = connect(here('day.db'));
const result = measure(log, day, replay(log, day));
const uniqueKeys = log.prepare('SELECT COUNT(DISTINCT idem_key) FROM req_log').pluck().get() as number;
day.close();
log.close();
writeFileSync(here('result.json'), `${JSON.stringify(result, null, 2)}\n`);
writeFileSync(here('idem_report.md'), report(result, uniqueKeys, policy.retention_hours));
