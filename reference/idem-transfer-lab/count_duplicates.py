"""Counts what the day's retries cost in idem.db, and writes dup_report.json."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

HERE = Path(__file__).resolve().parent

COUNTS = """
WITH numbered AS (
    SELECT amount, ROW_NUMBER() OVER (PARTITION BY idem_key ORDER BY created_at, transfer_id) AS attempt
    FROM transfer_v1
)
SELECT
    (SELECT COUNT(*) FROM req_log) AS requests,
    (SELECT COUNT(DISTINCT idem_key) FROM req_log) AS unique_keys,
    COUNT(*) FILTER (WHERE attempt = 2) AS duplicate_keys,
    COUNT(*) FILTER (WHERE attempt > 1) AS extra_transfers,
    COALESCE(SUM(amount) FILTER (WHERE attempt > 1), 0) AS double_paid
FROM numbered
"""

KEYS = "SELECT idem_key FROM transfer_v1 GROUP BY idem_key HAVING COUNT(*) > 1 ORDER BY idem_key"


def main():
    with closing(sqlite3.connect(HERE / "idem.db")) as db:
        db.row_factory = sqlite3.Row
        report = dict(db.execute(COUNTS).fetchone())
        report["keys"] = [row["idem_key"] for row in db.execute(KEYS)]
    (HERE / "dup_report.json").write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
