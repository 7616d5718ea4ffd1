module.exports = (db, now, limit) => {
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) throw new RangeError('limit');
  const sql = "SELECT id FROM keys WHERE status = 'done' AND expires <= ? ORDER BY id LIMIT ?";
  return db.prepare(sql).pluck().all(now, limit);
};
