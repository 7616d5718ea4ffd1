/** By the ids of clauses: what goes wrong in real systems without it, and what it leaves open. */
export const en = {
  '1.1': {
    why: 'The table is the memory of every request. A column that may be NULL, or has another type, lets rows in that no function can judge later: a key without a status is neither at work nor done.',
    limits:
      'More indexes, tables or triggers are your own affair, and so are CHECKs that admit every legal row.',
  },
  '1.2': {
    why: 'Services start again and again, and several processes start at once. A start that empties the table forgets every payment under way; one that raises takes the service down.',
    limits:
      'A change of an existing schema (a migration) is not asked for, nor are calls of init_db at the same moment.',
  },
  '2.1': {
    why: 'The row is what a retry will meet. If it is not committed, or stored under a slightly different key or instant, the retry finds nothing and the work is done twice.',
    limits:
      'The lab does not say how long a key should live, nor who makes it: that is agreed with the client.',
  },
  '2.2': {
    why: 'The key that exists belongs to a request that may still be paying. Whoever overwrites it lets a second request run, and loses the response that was stored for the first.',
    limits:
      'An abandoned pending key stays for good here. To take it over needs a lease or a compensation, which are another lab.',
  },
  '2.3': {
    why: 'Two retries arrive at the same moment, and both look before either writes. Only a check and a write that cannot be separated keep the second one out.',
    limits:
      'How long a call waits for a lock is open: one that gives up and has changed nothing is in its right.',
  },
  '2.4': {
    why: 'Faults often show only in the next call: an open transaction, a connection to another database, an answer kept in memory. A service lives through millions of such sequences.',
    limits:
      'The calls come one after the other here; what happens at the same moment is the matter of the clause before.',
  },
  '3.1': {
    why: 'What is not stored cannot be replayed. A payment that took longer than its key lives was made all the same, and an empty or false response is still the one that the client must get again.',
    limits: 'Only values that JSON can hold are stored; how the text is spelled is open.',
  },
  '3.2': {
    why: 'A late worker, or one with another body, must not overwrite what was answered: two clients would then hold two receipts for one payment.',
    limits:
      'False does not say which of the three reasons it was. An API that talks to clients would tell them apart.',
  },
  '3.3': {
    why: 'Between the look and the update another process may finish the key. Then the later response replaces the one that was already sent.',
    limits: 'That the work itself is done only once is not promised here, only that one result is kept.',
  },
  '3.4': {
    why: 'A finish that leaves its transaction open makes every other process wait, and the outage shows far from its cause.',
    limits: 'The sequence is short; load and duration are not put to the test.',
  },
  '4.1': {
    why: 'The client that lost the first answer needs exactly that answer. One that gets None does the payment again.',
    limits:
      'The guarantee ends with `expires`. A retry that comes later than that is a matter of the retention policy.',
  },
  '4.2': {
    why: 'When two parts of a system disagree about one instant, a key is both replayed and purged, or neither. The boundary is fixed once: at `expires` it is over.',
    limits:
      'Reading is not cleaning up: an expired row stays until purge takes it. Clocks that differ between machines are not looked at.',
  },
  '4.3': {
    why: 'A fetch that keeps answers in memory replays what another process has replaced, and one that holds a read lock stops all writers.',
    limits: 'Caching as such is not forbidden, if it is never older than the table.',
  },
  '5.1': {
    why: 'The list decides what is forgotten. A pending key in it is a payment under way whose retry will be taken for a new one; a row left out grows the table for ever.',
    limits:
      'The list is a moment: until the delete it can grow out of date. That is what the next step is for.',
  },
  '5.2': {
    why: 'To delete a large table at once holds the lock for long, and requests time out meanwhile. Small batches in a fixed order make progress that can be foreseen.',
    limits: 'Ten and a hundred are the numbers of this lab. Which batch is right depends on the load.',
  },
  '5.3': {
    why: 'SQLite takes a negative limit for none at all, and Python takes True for 1: one wrong argument of a job at night, and everything goes.',
    limits:
      'Which exception refuses the limit is open, but it has to be your own and not one of the database driver.',
  },
  '5.4': {
    why: 'What one list leaves behind, a position or a transaction, falsifies the next one, and a clean-up then skips rows or stops the service.',
    limits: 'Several lists in turn are independent of each other: there is no cursor and no page.',
  },
  '6.1': {
    why: 'This is the accident that the lab is about: old keys were deleted, payments under way among them, and their retries came in as new requests.',
    limits:
      'What was deleted is a new request when it comes again. No purge can promise exactly-once for ever.',
  },
  '6.2': {
    why: 'The limit protects the other requests from a delete that takes minutes. It has to hold for the rows that go, not only for the list that is told.',
    limits: 'How often purge is called, and when, is a matter of operation.',
  },
  '6.3': {
    why: 'A purge with a wrong limit destroys what nobody can bring back. The check must come before the first row goes.',
    limits: 'Which exception it is, is open; the database must be as it was.',
  },
  '6.4': {
    why: 'A key may be reserved again between the select and the delete. Then the delete takes the claim of a request that has just begun.',
    limits: 'A call that finds the database locked may give up, as long as nothing has changed.',
  },
  '6.5': {
    why: 'When a delete fails half-way and the rest is committed, the answer and the table disagree, and nobody knows which guarantees have ended.',
    limits: 'Which of the two it is, raising or answering that nothing went, is open.',
  },
  '6.6': {
    why: 'A purge runs for years in the same process. A transaction left open when there is nothing to do stops all writing at some quiet hour.',
    limits:
      'How many rows go over all calls depends on the limits given; nothing is promised beyond each call.',
  },
  '7.1': {
    why: 'After a clean-up one number shows whether unfinished work was lost: that of the pending keys. A missing 0 or a cached count hides just that.',
    limits: 'The numbers are those of one moment. Whether they are too high is for monitoring to say.',
  },
  '7.2': {
    why: 'A count that is taken once, or that leaves a read transaction open, makes monitoring itself the fault.',
    limits: 'Counting a large table takes time; speed is not judged beyond the budget of the step.',
  },
  '8.1': {
    why: 'Once its record is gone a key is a new request, and its work is done again. The cycle makes you see this limit instead of hiding it.',
    limits:
      'Clients that retry after the retention time are not protected. It has to be longer than they go on trying.',
  },
  '8.2': {
    why: 'The result alone could be had without living through the states. What counts in operation is that a key was reserved, finished and purged before it came again.',
    limits:
      'Whether the cycle calls the other functions or does their work itself is open, and so are states in between.',
  },
  '8.3': {
    why: 'The functions share one table. Only all of them together, in any order, are the service that clients rely on.',
    limits:
      'Effects outside the database, such as a mail or a payment at another bank, are not covered by the table.',
  },
};

export type ClauseId = keyof typeof en;
export type { Explanation } from '../../../harness/explanation.ts';
