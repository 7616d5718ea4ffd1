import sqlite3
import sys

import honest

ENDLESS = """
ALTER TABLE transfer RENAME TO kept;
CREATE VIEW transfer(transfer_id, src, dst, amount, currency, created_at) AS
WITH RECURSIVE endless(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM endless)
SELECT n, n, n, n, n, n FROM endless;
"""

code = honest.main()
database = sys.argv[sys.argv.index("--db") + 1]
db = sqlite3.connect(database)
db.executescript(ENDLESS)
db.close()
sys.exit(code)
