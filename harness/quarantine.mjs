/*
 * Runs statements, or a query, on a database whose schema may keep SQLite busy for ever: node quarantine.mjs MODULE
 *
 * The work comes by standard input, what became of it goes to standard output, both as V8 serialises them.
 * MODULE is better-sqlite3.
 */
import { readFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { deserialize, serialize } from 'node:v8';

const Database = createRequire(import.meta.url)(process.argv[2]);
const { file, statements, query, mostRows } = deserialize(readFileSync(0));
const inMemory = typeof file !== 'string';
const database = inMemory
  ? new Database(Buffer.from(file))
  : new Database(file, { timeout: 0, fileMustExist: true });
let phase = 'begin';

function work() {
  database.exec('PRAGMA trusted_schema = OFF; PRAGMA hard_heap_limit = 268435456');
  database.defaultSafeIntegers();
  if (query !== undefined) return rowsOf(database.prepare(query).raw());
  database.exec('BEGIN IMMEDIATE');
  for (const { sql, parameters } of statements) database.prepare(sql).run(parameters);
  phase = 'commit';
  database.exec('COMMIT');
  return inMemory ? [[database.serialize()]] : [];
}

function rowsOf(statement) {
  const rows = [];
  for (const row of statement.iterate()) {
    rows.push(row);
    if (rows.length > mostRows) break;
  }
  return rows;
}

let outcome;
try {
  outcome = { rows: work() };
} catch ({ code, message }) {
  outcome = { code: String(code), message: String(message), phase };
}
const bytes = serialize(outcome);
for (let sent = 0; sent < bytes.length; ) sent += writeSync(1, bytes, sent);
