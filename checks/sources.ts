import type { Source } from '../harness/explanation.ts';

/* Documents that the labs rest on, and that learners can read on in. */

export const stripe: Source = {
  title: 'Stripe API reference: Idempotent requests',
  url: 'https://docs.stripe.com/api/idempotent_requests',
};

export const idempotencyKeyDraft: Source = {
  title: 'IETF draft: The Idempotency-Key HTTP Header Field',
  url: 'https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/',
};

export const httpSemantics: Source = {
  title: 'RFC 9110, HTTP Semantics, 9.2.2: Idempotent Methods',
  url: 'https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2',
};

export const canonicalJson: Source = {
  title: 'RFC 8785: JSON Canonicalization Scheme',
  url: 'https://www.rfc-editor.org/rfc/rfc8785',
};

export const timestamps: Source = {
  title: 'RFC 3339, Date and Time on the Internet, 5.1: Ordering',
  url: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.1',
};

export const sqliteTransactions: Source = {
  title: 'SQLite: Transaction (BEGIN DEFERRED and BEGIN IMMEDIATE)',
  url: 'https://www.sqlite.org/lang_transaction.html',
};

export const sqliteConflicts: Source = {
  title: 'SQLite: The ON CONFLICT Clause (what REPLACE deletes)',
  url: 'https://www.sqlite.org/lang_conflict.html',
};

export const sqliteExpressions: Source = {
  title: 'SQLite: SQL Language Expressions (LIKE, and which case it ignores)',
  url: 'https://www.sqlite.org/lang_expr.html',
};

export const pythonSqlite: Source = {
  title: 'Python: sqlite3 (transactions, and what the context manager does)',
  url: 'https://docs.python.org/3/library/sqlite3.html',
};
