from parts.statements import DUE


def purge(db, now, limit):
    db.execute("BEGIN IMMEDIATE")
    ids = [key for (key,) in db.execute(DUE, (now, limit))]
    db.executemany("DELETE FROM keys WHERE id = ?", [(key,) for key in ids])
    db.execute("COMMIT")
    return ids
