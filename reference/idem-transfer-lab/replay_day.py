"""Sends the whole day of idem.db through idem_api: day.db, result.json and idem_report.md."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import idem_api

HERE = Path(__file__).resolve().parent
RETENTION_HOURS = json.loads((HERE / "policy.json").read_text(encoding="utf-8"))["retention_hours"]

REPORT = """\
# 이중 송금 방지 보고서

## 무엇이 잘못됐나

하루 동안 들어온 요청 {requests}건 가운데 서로 다른 키는 {unique_keys}개뿐이었다. 응답을 받지 못한 클라이언트가 같은 요청을 다시 보냈고,
이전 시스템은 요청마다 송금을 만들었다. 그 결과 송금 {requests}건, 합계 {v1_total:,}원이 나갔다.

## 어떻게 막았나

키를 먼저 선점하고(in_progress) 송금과 응답 저장을 다른 트랜잭션에서 한 번에 끝냈다(completed). 키의 범위는
(client_id, endpoint, idem_key)이고 기본 키 제약이 두 번째 선점을 막는다. 같은 하루를 다시 흘려보내니 새 실행 {created}건,
재생 {replayed}건, 거절 {rejected}건이었다. 송금은 {transfers}건, 합계 {total_transferred:,}원이며,
막아 낸 금액은 {double_paid_avoided:,}원이다.

## 남은 위험

- 선점한 뒤 죽은 요청의 키는 in_progress로 남는다. 자동으로 풀지 않으므로 사람이 송금 여부를 확인해야 한다.
- 클라이언트가 재시도마다 새 키를 만들면 이 층은 막을 수 없다.
- 보관 기간이 지난 뒤의 재시도는 새 요청으로 실행된다.

## 운영 규칙

- 완료된 키는 {retention_hours}시간 보관하고 `--purge-before`로 지운다. 클라이언트의 재시도 한도는 그보다 짧아야 한다.
- 같은 키에 본문이 다르면 422, 처리 중인 키에는 409로 답한다.
- in_progress로 오래 남은 키는 매일 목록을 뽑아 원장과 대조한다.
"""


def lay_out_day(log, path):
    """A new day.db with the accounts as they were in the morning."""
    for suffix in ("", "-journal", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as day, day:
        day.execute("CREATE TABLE account(acct_id TEXT PRIMARY KEY, holder TEXT NOT NULL, balance INTEGER NOT NULL)")
        accounts = log.execute("SELECT acct_id, holder, balance FROM account")
        day.executemany("INSERT INTO account(acct_id, holder, balance) VALUES (?, ?, ?)", accounts)


def replay(log, day):
    """Sends every request, in the order of arrival, and yields the answers."""
    for client, endpoint, key, body in log.execute(
        "SELECT client_id, endpoint, idem_key, body FROM req_log ORDER BY seq"
    ):
        request = {"client_id": client, "endpoint": endpoint, "idem_key": key, "body": json.loads(body)}
        yield idem_api.handle(day, request)


def measure(log, day, answers):
    transfers, total = day.execute("SELECT COUNT(*), COALESCE(SUM(amount), 0) FROM transfer").fetchone()
    (v1_total,) = log.execute("SELECT COALESCE(SUM(amount), 0) FROM transfer_v1").fetchone()
    return {
        "requests": len(answers),
        "created": sum(answer["status"] == 201 and not answer["replay"] for answer in answers),
        "replayed": sum(answer["replay"] for answer in answers),
        "rejected": sum(answer["status"] >= 400 and not answer["replay"] for answer in answers),
        "transfers": transfers,
        "total_transferred": total,
        "v1_total": v1_total,
        "double_paid_avoided": v1_total - total,
    }


def main():
    with closing(sqlite3.connect(HERE / "idem.db")) as log:
        lay_out_day(log, HERE / "day.db")
        with closing(idem_api.connect(HERE / "day.db")) as day:
            result = measure(log, day, list(replay(log, day)))
        (unique_keys,) = log.execute("SELECT COUNT(DISTINCT idem_key) FROM req_log").fetchone()
    report = REPORT.format(**result, unique_keys=unique_keys, retention_hours=RETENTION_HOURS)
    (HERE / "result.json").write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    (HERE / "idem_report.md").write_text(report, encoding="utf-8")


if __name__ == "__main__":
    main()
