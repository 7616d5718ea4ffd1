/** By the ids of clauses: what goes wrong in real systems without it, and what it leaves open. */
export const en = {
  '1.1': {
    why: 'Whoever wants to show that no money is lost has to know where it lies. The eight accounts are the ledger that all later numbers are checked against.',
    limits: 'Which names and balances they have is your choice.',
  },
  '1.2': {
    why: 'A gateway writes down what it received, and a client that got no answer sends again. A log without the retries hides the very fault.',
    limits:
      'How the retries are spread over the day is open. A log does not say which of the answers the client has seen.',
  },
  '1.3': {
    why: 'The old system knew no keys: it executed what came in. The day must show that damage whole, or it cannot be counted.',
    limits:
      'Why the clients sent again is not asked; that they do can neither be prevented nor should it be.',
  },
  '2.1': {
    why: 'Before something is repaired it is measured. Whoever counts the first transfer of a key among the extra ones pays back money that was due.',
    limits:
      'Which of a key’s transfers is the first can be told in several ways; each is accepted that is the same for all keys.',
  },
  '3.1': {
    why: 'Two equal transfers on one day can both be meant: rent for two rooms. Only the key says that one is a retry; whoever compares bodies keeps money from moving that should.',
    limits: 'Insufficient funds and unknown accounts are not judged here.',
  },
  '3.2': {
    why: 'The client did not see the answer and sends again. Without a key that the database itself holds unique the money goes out twice.',
    limits:
      'At this step the retry may be answered by a replay or by 409; the stored response is asked for later.',
  },
  '3.3': {
    why: 'Whoever started the command decides by its exit code. A half-written file that is answered like a request becomes a transfer that nobody ordered, or one that seems to have been made.',
    limits: 'A request of readable JSON that lacks members is not judged.',
  },
  '4.1': {
    why: 'A client that reuses a key with another amount believes that this amount was sent. A replay would confirm it; only a refusal shows the mistake.',
    limits: 'The status 422 is what this lab asks for. What the client does with it is up to the client.',
  },
  '4.2': {
    why: 'Libraries write the members in another order, with other blanks and escapes. A fingerprint of the raw text refuses true retries, and the client never learns what became of its money.',
    limits:
      'How numbers such as 100.0 are made canonical is open, and member names given twice are not looked at.',
  },
  '5.1': {
    why: 'A process can die between the claim and the money. If the key was written as completed first, the money never goes out and every retry hears that it did.',
    limits: 'The claim stays in progress for good. Who takes it over, and after how long, is another lab.',
  },
  '5.2': {
    why: 'A client’s time-out and its retry often cross each other. Two processes that first look and then insert both find nothing, and both pay.',
    limits:
      'The loser may answer by a replay or by 409. What is not accepted is giving up because the database is locked for a moment.',
  },
  '5.3': {
    why: 'If the debit is committed and the credit fails, the money belongs to nobody. The ledger has to show the whole transfer or nothing.',
    limits: 'What a request that failed like this is answered is open, but it must not be told as executed.',
  },
  '6.1': {
    why: 'A response that is worked out once more has another balance or another time, and the customer sees two different receipts for one transfer.',
    limits:
      'White space and the escaping of characters in the replay are open; the order of members and the spelling of numbers are not.',
  },
  '6.2': {
    why: 'Keys live through retries, changed bodies and deaths in any order. What one request leaves behind decides what the next one hears.',
    limits: 'A crashed claim that is asked again with another body may be answered 409 or 422.',
  },
  '7.1': {
    why: 'Clients choose their keys without knowing each other. If a key is global, one of them gets the response of another: a data leak, and a transfer that never went out.',
    limits:
      'Who a client is, is taken from the request: that it says so rightly is a matter of authentication.',
  },
  '7.2': {
    why: 'Keys cannot be kept for ever, and the ledger must be. A purge by the wrong cut-off forgets keys of this minute, or nothing at all, and the table grows.',
    limits:
      'After a purge the same request is a new one. Retention has to be longer than the clients go on retrying.',
  },
  '7.3': {
    why: 'Timestamps with different offsets sort differently as text than as instants. An operator in Seoul and a server in UTC then delete nine hours too many or too few.',
    limits:
      'A key made at the very instant of the cut-off may go or stay; ages are at least two seconds apart here.',
  },
  '7.4': {
    why: 'Clients need to know how long a key protects them, and what a mismatch means. The draft for the Idempotency-Key header asks that the expiry policy be published.',
    limits: 'The 72 hours are an assumption of this lab; no standard names a number.',
  },
  '8.1': {
    why: 'The proof is the same day once more: each key’s first request moves money, and no other. To send a selection proves nothing.',
    limits: 'A transfer that its account could not pay may be missing: funds are not in the contract.',
  },
  '8.2': {
    why: 'Every request is created, replayed or rejected. If the three do not add up, some request was lost from sight, and with it perhaps some money.',
    limits:
      'The amount avoided can be counted in several ways; each that the two databases bear out is accepted.',
  },
  '8.3': {
    why: 'Whoever decides about the repair reads the report, not the code: what happened, what stops it, what remains, and what it saved, as a number.',
    limits:
      'What the sections say is not judged, only that they are there, in order, with text and the amount.',
  },
};

export type ClauseId = keyof typeof en;
export type { Explanation } from '../../../harness/explanation.ts';
