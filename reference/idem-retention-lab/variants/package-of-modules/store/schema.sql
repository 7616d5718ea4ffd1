CREATE TABLE IF NOT EXISTS keys(
    id TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    status TEXT NOT NULL,
    response TEXT,
    expires REAL NOT NULL
);
